import { describe, expect, it } from 'vitest';
import type { Values } from '../series/windows';
import { seeded } from '../../../tests/support/searchSimulation';
import { findOutages, type FoundOutages, type HeldSize } from './findOutages';

const holdSeconds = 60;

/** A sample a second of a hold that begins at 10 s; `undefined` is no sample. */
function series(connected: (second: number) => number | undefined, offsetMs = 0): Values {
  const timeMs: number[] = [];
  const value: number[] = [];
  for (let second = 0; second <= 10 + holdSeconds; second += 1) {
    const each = connected(second);
    if (each === undefined) continue;
    timeMs.push(1000 * second + offsetMs);
    value.push(each);
  }
  return { timeMs, value };
}

const hold: HeldSize = { fromMs: 10_000, toMs: 70_000, requested: 100, rampFromMs: 0 };
const ramp = (second: number): number => Math.min(100, 10 * second);
const found = (...sources: Values[]): FoundOutages => findOutages(sources, [hold], 99);
/** `from-to lowest@time` of each outage, in seconds. */
const texts = ({ outages }: FoundOutages): string[] =>
  outages.map(
    ({ fromMs, toMs, lowest, lowestMs, isUntilEnd }) =>
      `${fromMs / 1000}-${toMs / 1000} ${lowest}@${lowestMs / 1000}${isUntilEnd ? ' until end' : ''}`,
  );
const dip =
  (from: number, to: number, lowest: number) =>
  (second: number): number =>
    second >= from && second < to ? lowest : ramp(second);

describe('shapes of outages', () => {
  const shapes: ReadonlyArray<readonly [shape: string, sources: readonly Values[], expected: readonly string[]]> = [
    ['none', [series(ramp)], []],
    ['one of 5 s', [series(dip(20, 25, 0))], ['20-25 0@20']],
    ['one sample', [series(dip(20, 21, 40))], ['20-21 40@20']],
    [
      'two, the second deeper',
      [series((second) => Math.min(dip(20, 25, 50)(second), dip(40, 50, 10)(second)))],
      ['20-25 50@20', '40-50 10@40'],
    ],
    [
      'a slope: its lowest sample counts',
      [series((second) => (second >= 30 && second < 40 ? 100 - 10 * (5 - Math.abs(second - 35)) : ramp(second)))],
      ['31-40 50@35'],
    ],
    ['the share that is demanded', [series(dip(20, 25, 99))], []],
    ['one viewer below it', [series(dip(20, 25, 98))], ['20-25 98@20']],
    ['from the start of the hold', [series(dip(10, 14, 0))], ['10-14 0@10']],
    ['to the end of the hold', [series(dip(60, 99, 20))], ['60-70 20@60 until end']],
    ['the last seconds are teardown', [series(dip(68, 99, 0))], []],
    ['during the ramp-up only', [series(dip(3, 9, 0))], []],
    [
      'viewers that never connected do not count, those that were lost do',
      [series((second) => Math.min(60, dip(20, 30, 30)(second)))],
      ['20-30 30@20'],
    ],
    [
      'testers at different times of the second: only the sum counts',
      [series((second) => ramp(second) / 2), series((second) => dip(20, 25, 0)(second) / 2, 400)],
      ['20.4-25.4 50@20.4'],
    ],
    [
      'one tester for the other: the sum stays',
      [
        series((second) => (second >= 30 ? 20 : ramp(second) / 2)),
        series((second) => (second >= 30 ? 80 : ramp(second) / 2)),
      ],
      [],
    ],
    ['a tester without viewers', [series(ramp), { timeMs: [], value: [] }], []],
  ];
  it.each(shapes)('%s', (_, sources, expected) => {
    expect(texts(found(...sources))).toEqual(expected);
  });

  it('nothing is held', () => {
    expect(findOutages([series(ramp)], [], 99)).toEqual({ outages: [], gaps: [], heldMs: 0 });
    expect(findOutages([], [hold], 99)).toEqual({ outages: [], gaps: [], heldMs: 0 });
  });

  it('a planned dip is not an outage, a longer one is', () => {
    const watched = { ...hold, plannedDipMs: 3000 };
    const dips = series((second) => Math.min(dip(20, 23, 90)(second), dip(40, 45, 0)(second)));
    expect(texts(findOutages([dips], [watched], 99))).toEqual(['40-45 0@40']);
  });

  it('a level of stages begins when it is first met', () => {
    const level = { ...hold, fromMs: 5000, rampFromMs: 5000, beginsWhenMet: true };
    expect(texts(findOutages([series(ramp)], [level], 99))).toEqual([]);
    expect(texts(findOutages([series(dip(20, 25, 0))], [level], 99))).toEqual(['20-25 0@20']);
  });
});

describe('gaps', () => {
  const without =
    (from: number, to: number, of = ramp) =>
    (second: number): number | undefined =>
      second >= from && second < to ? undefined : of(second);

  it('are no outages, and not held time', () => {
    const { outages, gaps, heldMs } = found(series(without(20, 30)));
    expect({ outages, gaps, heldMs }).toEqual({
      outages: [],
      gaps: [{ fromMs: 19_000, toMs: 30_000 }],
      heldMs: 49_000,
    });
  });

  it('end an outage, which is as long as it was measured', () => {
    expect(texts(found(series(without(24, 30, dip(20, 35, 0)))))).toEqual(['20-23 0@20', '30-35 0@30']);
  });

  it('of one of two testers are gaps of both', () => {
    const half = (second: number): number => ramp(second) / 2;
    const { outages, gaps } = found(series(half), series(without(20, 30, half), 300));
    expect({ outages, gaps }).toEqual({ outages: [], gaps: [{ fromMs: 19_300, toMs: 30_300 }] });
  });

  it('a missing sample is not a gap', () => {
    expect(found(series(without(20, 21))).gaps).toEqual([]);
  });

  it('to the end of the hold', () => {
    const { outages, gaps } = found(series(without(40, 99)));
    expect({ outages, gaps }).toEqual({ outages: [], gaps: [{ fromMs: 39_000, toMs: 70_000 }] });
  });
});

describe('planted outages', () => {
  it.each(Array.from({ length: 200 }, (_, seed) => seed))('of series %i are found within a second', (seed) => {
    const random = seeded(seed);
    const between = (least: number, most: number): number => least + random() * (most - least);
    const requested = Math.round(between(20, 1000));
    const testers = 1 + Math.floor(random() * 3);
    const planted: Array<{ fromMs: number; toMs: number; lowest: number }> = [];
    let timeMs = 10_000;
    for (let i = Math.floor(between(0, 12)); i > 0; i -= 1) {
      const fromMs = timeMs + between(3000, 20_000);
      timeMs = fromMs + between(1100, 40_000);
      planted.push({ fromMs, toMs: timeMs, lowest: Math.floor(between(0, 0.98 * requested)) });
    }
    const toMs = timeMs + between(5000, 20_000);
    const connectedAt = (at: number): number =>
      planted.find((each) => at >= each.fromMs && at < each.toMs)?.lowest ?? requested;
    const sources = Array.from({ length: testers }, (_, place): Values => {
      const offsetMs = Math.floor(between(0, 1000));
      const times = Array.from({ length: Math.floor(toMs / 1000) }, (__, second) => 1000 * second + offsetMs);
      // Each has its share; the last one the rest.
      const share = (all: number): number => {
        const part = Math.floor(all / testers);
        return place < testers - 1 ? part : all - part * (testers - 1);
      };
      return { timeMs: times, value: times.map((time) => share(connectedAt(time))) };
    });
    const size = { fromMs: 10_000, toMs, requested, rampFromMs: 0 };
    const { outages, gaps } = findOutages(sources, [size], 99);
    expect(gaps).toEqual([]);
    expect(outages).toHaveLength(planted.length);
    outages.forEach((outage, i) => {
      const { fromMs = 0, toMs: endMs = 0, lowest } = planted[i] ?? {};
      expect(outage.fromMs).toBeGreaterThanOrEqual(fromMs);
      expect(outage.fromMs - fromMs).toBeLessThan(1001);
      expect(Math.abs(outage.toMs - endMs)).toBeLessThan(1001);
      expect(outage.lowest).toBe(lowest);
    });
  });
});
