import { expect, it } from 'vitest';
import type { SeriesId } from '../../../domain/series';
import { LatestSamples } from './latest';

const series = (all: ReadonlyMap<string, ReadonlyMap<SeriesId, number>>, node: string): string[] => [
  ...(all.get(node)?.keys() ?? []),
];

it('keeps the newest value, and forgets what has fallen silent', () => {
  const latest = new LatestSamples();
  latest.take([
    { timeMs: 1000, node: 'a', series: 'viewersConnected', value: 1 },
    { timeMs: 2000, node: 'a', series: 'viewersConnected', value: 2 },
    // Late, as a replay of what was recorded before.
    { timeMs: 1500, node: 'a', series: 'viewersConnected', value: 9 },
  ]);
  expect(latest.fresh(6500).get('a')?.get('viewersConnected')).toBe(2);
  expect(latest.fresh(7001).has('a')).toBe(false);
});

it('waits for a host as long as it is asked seldom, and not for ever', () => {
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
