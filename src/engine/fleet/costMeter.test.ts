import { expect, it } from 'vitest';
import type { RunView, TesterLimit } from '../../domain/model/run';
import type { Sample, SeriesId } from '../../domain/series/series';
import { CostMeter } from './costMeter';

const run = {
  ...{ id: 'r', state: 'running', startedMs: 0 },
  plan: { pull: { protocol: 'whep', viewers: 300, fidelity: 'media-only' } },
  nodes: [
    { id: 'lab', role: 'origin' },
    { id: 'local', role: 'tester' },
  ],
  phases: [
    { name: 'ramp', startMs: 0, endMs: 30_000 },
    { name: 'hold', startMs: 30_000 },
  ],
} as unknown as RunView;
const ended = { ...run, state: 'ended', endedMs: 70_000 } as RunView;

function second(at: number, cpu: number, viewers: number): Sample[] {
  const sample = (series: SeriesId, value: number): Sample => ({
    ...{ timeMs: at * 1000, node: 'local', series, value },
  });
  return [
    sample('processCpuPercent', cpu),
    sample('viewersConnected', viewers),
    sample('mediaInMbps', (viewers * 170) / 1000),
  ];
}

it('measures the cost per viewer during the hold, not during the ramp', () => {
  const meter = new CostMeter();
  for (let at = 0; at < 70; at += 1) meter.take(run, second(at, at < 35 ? 90 : 9, at < 30 ? at * 10 : 300));
  expect(meter.costs(ended)).toEqual([
    {
      node: 'local',
      cost: {
        ...{ protocol: 'whep', viewers: 300, measuredMs: 70_000 },
        corePercent: expect.closeTo(0.03, 6) as number,
        kbps: expect.closeTo(170, 6) as number,
      },
    },
  ]);
});

it('measures nothing for a tester at its limit, a short hold or browser-fidelity viewers', () => {
  const long = new CostMeter();
  for (let at = 30; at < 70; at += 1) long.take(run, second(at, 9, 300));
  const limit: TesterLimit = {
    ...{ node: 'local', kind: 'cpu', fromMs: 50_000, viewers: 300 },
    ...{ sentence: 'local was out of CPU.', expected: 'CPU of a tester <= 90 %' },
  };
  expect(long.costs({ ...ended, testerLimits: [limit] })).toEqual([]);
  const full = { ...ended, plan: { ...run.plan, pull: { ...run.plan.pull, fidelity: 'browser' } } } as RunView;
  expect(long.costs(full)).toEqual([]);
  const short = new CostMeter();
  for (let at = 30; at < 40; at += 1) short.take(run, second(at, 9, 300));
  expect(short.costs(ended)).toEqual([]);
});
