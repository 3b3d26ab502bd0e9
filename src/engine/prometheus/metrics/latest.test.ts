import { expect, it } from 'vitest';
import type { SeriesId } from '../../../domain/series/series';
import { LatestSamples } from './latest';

const series = (all: ReadonlyMap<string, ReadonlyMap<SeriesId, number>>, node: string): string[] => [
  ...(all.get(node)?.keys() ?? []),
];

it('keeps the newest value, and drops stale ones', () => {
  const latest = new LatestSamples();
  latest.take([
    { timeMs: 1000, node: 'a', series: 'viewersConnected', value: 1 },
    { timeMs: 2000, node: 'a', series: 'viewersConnected', value: 2 },
    // Late, as in a replay of earlier records.
    { timeMs: 1500, node: 'a', series: 'viewersConnected', value: 9 },
  ]);
  expect(latest.fresh(6500).get('a')?.get('viewersConnected')).toBe(2);
  expect(latest.fresh(7001).has('a')).toBe(false);
});

it('waits longer for a host with a long scrape interval, but not forever', () => {
  const latest = new LatestSamples();
  const at = (timeMs: number): void =>
    latest.take([
      { timeMs, node: 'a', series: 'load1', value: 1 },
      { timeMs, node: 'a', series: 'viewersConnected', value: 1 },
    ]);
  at(0);
  at(15_000);
  expect(series(latest.fresh(40_000), 'a')).toEqual(['load1']);
  expect(latest.fresh(53_000).size).toBe(0);
});
