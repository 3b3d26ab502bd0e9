import { expect, it } from 'vitest';
import type { Clock } from '../base/clock';
import { VirtualTime } from '../../../tests/support/virtualTime';
import type { HostReading } from './hostRates';
import { sampleHost, type LocalHostSample } from './thisHost';

it('reads on full seconds, and a late tick does not shift the next', async () => {
  const time = new VirtualTime(10_250);
  const waits: number[] = [];
  const clock: Clock = {
    ...time.clock,
    after: (ms, run) => {
      waits.push(ms);
      return time.clock.after(ms, run);
    },
  };
  const stop = sampleHost({
    clock,
    read: () => ({ monotonicMs: 0 }),
    onSample: () => undefined,
    onProblem: () => undefined,
  });
  await time.pass(750);
  await time.suspend(1340);
  expect(waits).toEqual([750, 1000, 660]);
  stop();
});

it('leaves a gap where a reading failed, and reports it once', async () => {
  const { clock, pass } = new VirtualTime(0);
  const samples: LocalHostSample[] = [];
  const problems: string[] = [];
  const bytes = [0, 125_000, undefined, undefined, 500_000, 625_000];
  let turns = 0;
  const read = (): HostReading => {
    const inBytes = bytes[turns];
    turns += 1;
    if (inBytes === undefined) throw new Error('too many open files');
    return { monotonicMs: turns * 1000, interfaces: new Map([['eth0', { inBytes, outBytes: 0 }]]) };
  };
  sampleHost({
    clock,
    read,
    onSample: (sample) => samples.push(sample),
    onProblem: (sentence) => problems.push(sentence),
  });
  for (let second = 1; second <= bytes.length; second += 1) await pass(1000);
  expect(samples.map(({ timeMs, values }) => [timeMs, values.networkInMbps])).toEqual([
    [1000, undefined],
    [2000, 1],
    [5000, undefined],
    [6000, 1],
  ]);
  expect(problems).toEqual(["This host's figures can't be read: too many open files."]);
});
