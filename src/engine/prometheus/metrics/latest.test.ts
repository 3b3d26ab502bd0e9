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

it('has a node once, under the name that a run has for it', () => {
  const latest = new LatestSamples();
  latest.take([{ timeMs: 1000, node: 'local', series: 'cpuPercent', value: 1 }]);
  latest.take([{ timeMs: 1500, node: 'audience', fleetNode: 'local', series: 'cpuPercent', value: 2 }]);
  expect([...latest.fresh(2000).keys()]).toEqual(['audience']);
  // Another node of the run has the name of the fleet's.
  latest.take([
    { timeMs: 2000, node: 'a', fleetNode: 'b', series: 'cpuPercent', value: 3 },
    { timeMs: 2000, node: 'b', fleetNode: 'a', series: 'cpuPercent', value: 4 },
  ]);
  expect([...latest.fresh(2000).keys()]).toEqual(['audience', 'a', 'b']);
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
