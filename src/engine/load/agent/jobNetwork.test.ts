import { expect, it } from 'vitest';
import { jobNetwork as schema } from '../../../contract/networkProtocol';
import { networkPresets } from '../../../domain/model/network';
import { jobNetwork } from './jobNetwork';

it('an agent gets what is in force when its job starts, and the changes after that', () => {
  const network = {
    downKbps: 800,
    rttMs: 80,
    queueMs: 300,
    sharedBy: 4,
    steps: [
      { atMs: 10_000, lossPercent: 2 },
      { atMs: 20_000, downKbps: 400 },
    ],
  };
  expect(jobNetwork(network, 0)).toEqual({
    sharedBy: 4,
    steps: [
      { afterMs: 0, down: { rateKbps: 800, queueMs: 300, delayMs: 40 }, up: { delayMs: 40 } },
      {
        afterMs: 10_000,
        down: { rateKbps: 800, queueMs: 300, delayMs: 40, lossPercent: 2 },
        up: { delayMs: 40, lossPercent: 2 },
      },
      {
        afterMs: 20_000,
        down: { rateKbps: 400, queueMs: 300, delayMs: 40, lossPercent: 2 },
        up: { delayMs: 40, lossPercent: 2 },
      },
    ],
  });
  // A part of an audience that starts later.
  expect(jobNetwork(network, 12_000.4)?.steps.map(({ afterMs, down }) => [afterMs, down.lossPercent])).toEqual([
    [0, 2],
    [8000, 2],
  ]);
});

it('the real network needs no simulation', () => {
  expect(jobNetwork(undefined, 0)).toBeUndefined();
  expect(jobNetwork({ preset: 'none' }, 0)).toBeUndefined();
});

it.each(networkPresets.filter((preset) => preset !== 'none'))('an agent accepts the preset %s', (preset) => {
  expect(schema.safeParse(jobNetwork({ preset }, 123_456)).error).toBeUndefined();
});
