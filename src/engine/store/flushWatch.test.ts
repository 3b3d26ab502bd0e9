import { beforeEach, describe, expect, it } from 'vitest';
import { FlushWatch } from './flushWatch';
import { PendingSamples } from './pending';
import { testSample } from '../../../tests/support/savedRun';

let nowMs: number;
let problem: string | undefined;
let rescueProblem: string | undefined;
let reported: string[];
let rescued: number;
let watch: FlushWatch;
const writer = { isLost: false, thinned: 0, flush: () => fail(problem), rescue };

function fail(sentence: string | undefined): void {
  if (sentence !== undefined) throw new Error(sentence);
}
function rescue(): string {
  fail(rescueProblem);
  rescued += 1;
  problem = undefined;
  return '/elsewhere/run';
}
function pass(seconds: number): void {
  for (let second = 0; second < seconds; second += 1) {
    nowMs += 1000;
    watch.tick();
  }
}

beforeEach(() => {
  nowMs = 0;
  problem = rescueProblem = undefined;
  rescued = 0;
  Object.assign(writer, { isLost: false, thinned: 0 });
  reported = [];
  watch = new FlushWatch(
    writer,
    (sentence) => reported.push(sentence),
    () => nowMs,
  );
});

describe('a disk that refuses writes', () => {
  it('is reported once, and once when it accepts the run again', () => {
    pass(3);
    problem = 'The disk is full.';
    pass(8);
    problem = undefined;
    pass(5);
    expect(reported).toEqual([
      'The disk is full. Measurements are held in memory.',
      'The run file can be written again; pending data is saved.',
    ]);
    expect(rescued).toBe(0);
  });

  it('for long moves the run elsewhere', () => {
    problem = 'The disk is full.';
    pass(30);
    expect(rescued).toBe(1);
    expect(reported.slice(1)).toEqual(['The run is saved to /elsewhere/run from now on.']);
  });

  it('does so at once if the file is gone, or if all data must be saved', () => {
    problem = 'The file was removed.';
    writer.isLost = true;
    pass(1);
    expect(rescued).toBe(1);
    Object.assign(writer, { isLost: false });
    problem = 'The disk is full.';
    watch.secure(() => writer.flush());
    expect(rescued).toBe(2);
  });

  it('and no other that accepts it: reported once, retried, and saved as soon as possible', () => {
    problem = 'The disk is full.';
    rescueProblem = 'No other folder can be written either.';
    pass(3600);
    expect(reported).toHaveLength(2);
    writer.thinned = 5;
    pass(3600);
    expect(reported).toHaveLength(3);
    expect(reported[2]).toContain('every second one of the oldest is dropped');
    rescueProblem = undefined;
    pass(3);
    expect(reported[3]).toContain('is saved to /elsewhere/run');
  });
});

describe('pending samples', () => {
  it('stay within their limit: every second one of the oldest is dropped, in each series', () => {
    const pending = new PendingSamples(1000);
    for (let second = 0; second < 2000; second += 1)
      pending.add([
        testSample(second, 'origin', 'cpuPercent', second),
        testSample(second, 'audience', 'viewersConnected', second),
      ]);
    expect(pending.count).toBeLessThanOrEqual(1000);
    expect(pending.count + pending.thinned).toBe(4000);
    const of = (node: string): number[] =>
      pending
        .first(pending.count)
        .filter((sample) => sample.node === node)
        .map(({ value }) => value);
    expect(Math.abs(of('origin').length - of('audience').length)).toBeLessThanOrEqual(2);
    // The newest are all kept, and the oldest is not lost.
    expect(of('origin').slice(-200)).toEqual(Array.from({ length: 200 }, (_, i) => 1800 + i));
    expect(of('origin')[0]).toBeLessThan(10);
  });
});
