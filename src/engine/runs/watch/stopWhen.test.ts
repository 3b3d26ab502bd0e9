import { describe, expect, it } from 'vitest';
import type { StopCondition } from '../../../domain/model/plan';
import { emptyFigures } from '../figures';
import { StopWhen } from './stopWhen';

const degraded: StopCondition = { what: 'degraded', comparison: '>', value: 20, forMs: 3000 };
const figures = (timeMs: number, degradedNow: number, connected = 100): ReturnType<typeof emptyFigures> => ({
  ...emptyFigures(timeMs, 100),
  connected,
  degraded: degradedNow,
});

describe('a stop condition', () => {
  it('is reached once it has lasted, and not before', () => {
    const watch = new StopWhen([degraded], ['origin']);
    expect([0, 1000, 2000].map((ms) => watch.figures(figures(ms, 30)))).toEqual([undefined, undefined, undefined]);
    expect(watch.figures(figures(3000, 31))).toEqual({
      timeMs: 3000,
      sentence: 'Stop condition reached: the share of degraded viewers was over 20 % for 3 s, last 31 %.',
      expected: 'stop at the share of degraded viewers > 20 % for 3 s',
      limit: { comparison: '<=', value: 20, forMs: 3000 },
      value: 31,
      expectation: 'degraded',
      isOfViewers: true,
    });
  });

  it('restarts after every good value, and ignores an audience without viewers', () => {
    const watch = new StopWhen([degraded], ['origin']);
    for (const [ms, bad] of [
      [0, 30],
      [1000, 30],
      [2000, 10],
      [3000, 30],
      [4000, 30],
    ] as const)
      expect(watch.figures(figures(ms, bad))).toBeUndefined();
    expect(watch.figures(figures(5000, 0, 0))).toBeUndefined();
  });

  it('for CPU applies to the origin only, for a series to the node that it names', () => {
    const watch = new StopWhen(
      [
        { what: 'cpu', comparison: '>', value: 90, forMs: 0 },
        { what: 'frameRate', node: 'tester', comparison: '<', value: 20, forMs: 0 },
      ],
      ['origin'],
    );
    expect(watch.sample({ timeMs: 1, node: 'tester', series: 'cpuPercent', value: 99 })).toBeUndefined();
    expect(watch.sample({ timeMs: 1, node: 'other', series: 'frameRate', value: 5 })).toBeUndefined();
    expect(watch.sample({ timeMs: 2, node: 'origin', series: 'cpuPercent', value: 99 })?.node).toBe('origin');
    expect(watch.sample({ timeMs: 3, node: 'tester', series: 'frameRate', value: 19 })?.sentence).toContain(
      'Frame rate p50 of tester was under 20 fps',
    );
  });
});

it('names a machine that is busy with other programs', () => {
  const busy = 'this machine is busy: other programs use 84 % of its CPU (top: chrome 61 %)';
  const watch = new StopWhen([{ what: 'cpu', comparison: '>', value: 90, forMs: 0 }], ['origin'], (node) =>
    node === 'origin' ? busy : undefined,
  );
  expect(watch.sample({ timeMs: 2, node: 'origin', series: 'cpuPercent', value: 99 })?.sentence).toContain(
    `last 99 %; ${busy}.`,
  );
});

it.each([
  ['<', 5, true, 'under 10 for 0 s, last 5; this machine is busy.'],
  ['>', 15, undefined, 'over 10 for 0 s, last 15.'],
] as const)(
  'on viewers %s names a busy machine only where that can be the cause',
  (comparison, value, isOfViewers, words) => {
    const condition = { what: 'viewersConnected', comparison, value: 10, forMs: 0 } as const;
    const watch = new StopWhen([condition], ['origin'], () => 'this machine is busy');
    const reached = watch.sample({ timeMs: 1, node: 'tester', series: 'viewersConnected', value });
    expect(reached?.isOfViewers).toBe(isOfViewers);
    expect(reached?.sentence).toBe(`Stop condition reached: Viewers of tester was ${words}`);
  },
);
