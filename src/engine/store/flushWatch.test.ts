import { beforeEach, describe, expect, it } from 'vitest';
import { FlushWatch } from './flushWatch';
import { PendingSamples } from './pending';
import { testSample } from './testRun';

let nowMs: number;
let problem: string | undefined;
let rescueProblem: string | undefined;
let told: string[];
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
  told = [];
  watch = new FlushWatch(
    writer,
    (sentence) => told.push(sentence),
    () => nowMs,
  );
});

describe('a disk that refuses', () => {
  it('is told once, and once when it takes the run again', () => {
    pass(3);
    problem = 'The disk is full.';
    pass(8);
    problem = undefined;
    pass(5);
    expect(told).toEqual([
      'The disk is full. What is measured is kept in memory.',
      'The run file can be written again; what was waiting is in it.',
    ]);
    expect(rescued).toBe(0);
  });

  it('for long makes the run go on elsewhere', () => {
    problem = 'The disk is full.';
    pass(30);
    expect(rescued).toBe(1);
    expect(told.slice(1)).toEqual(['The run is saved to /elsewhere/run from now on.']);
  });

  it('does so at once where the file is gone, and when all has to be in it', () => {
    problem = 'The file was removed.';
    writer.isLost = true;
    pass(1);
    expect(rescued).toBe(1);
    Object.assign(writer, { isLost: false });
    problem = 'The disk is full.';
    watch.secure(() => writer.flush());
    expect(rescued).toBe(2);
  });

  it('and no other that takes it: told once, tried again, and saved as soon as one does', () => {
    problem = 'The disk is full.';
    rescueProblem = 'No other folder can take it either.';
    pass(3600);
    expect(told).toHaveLength(2);
    writer.thinned = 5;
    pass(3600);
    expect(told).toHaveLength(3);
    expect(told[2]).toContain('every second one is dropped');
    rescueProblem = undefined;
    pass(3);
    expect(told[3]).toContain('is saved to /elsewhere/run');
  });
});

describe('samples that wait', () => {
  it('stay within their bound: of the oldest every second one goes, of each series alike', () => {
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
    // The newest are all there, and the oldest is not forgotten.
    expect(of('origin').slice(-200)).toEqual(Array.from({ length: 200 }, (_, i) => 1800 + i));
    expect(of('origin')[0]).toBeLessThan(10);
  });
});
