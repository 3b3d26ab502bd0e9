import { expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import { costOf } from './testerCost';

const tester: NodeView = {
  id: 'tester-1',
  name: 'tester-1',
  role: 'tester',
  colourSlot: 2,
  state: 'live',
  reach: 'test',
  host: 'a',
  streams: [],
};

type Pair = readonly [viewers: number, cpu: number];
const seconds = (count: number, pair: (second: number) => Pair): Pair[] =>
  Array.from({ length: count }, (_, second) => pair(second));

function cost(pairs: readonly Pair[], share: number, untilMs = Infinity, cpuLateMs = 0): number | undefined {
  const column = (values: number[], lateMs: number) => ({
    length: values.length,
    timesMs: values.map((_, second) => second * 1000 + lateMs),
    values,
  });
  const samples = {
    viewers: column(
      pairs.map(([viewers]) => viewers),
      0,
    ),
    what: 'cpu' as const,
    burden: column(
      pairs.map(([, cpu]) => cpu),
      cpuLateMs,
    ),
    factor: 1,
  };
  return costOf(tester, samples, untilMs, share)?.percent;
}

it('follows the line through the samples before the limit', () => {
  const pairs = seconds(60, (second) => [second * 10, second < 50 ? 10 + second * 1.5 : 100]);
  expect(cost(pairs, 300, 49_000)).toBeCloseTo(55, 1);
  expect(cost(pairs, 300, 49_000, 400)).toBeCloseTo(55, 0);
  // Samples after the limit show the available CPU, not the required one.
  expect(cost(pairs, 300)).not.toBeCloseTo(55, 0);
});

it('is undefined if the samples make no line', () => {
  const few = seconds(4, (second) => [second * 10, second]);
  const flat = seconds(60, () => [500, 40]);
  const falling = seconds(60, (second) => [second * 10, 90 - second]);
  const wild = seconds(60, (second) => [second * 10, second % 2 === 0 ? 90 : 5]);
  for (const pairs of [few, flat, falling, wild, []]) expect(cost(pairs, 300)).toBeUndefined();
});

it('is undefined for far more viewers than measured', () => {
  const pairs = seconds(60, (second) => [second, second / 2]);
  expect(cost(pairs, 500)).toBeUndefined();
  expect(cost(pairs, 100)).toBeCloseTo(50, 0);
});

it('excludes seconds without viewers, and samples that are too far apart', () => {
  const idle = seconds(30, () => [0, 80] as const);
  const pairs = [...idle, ...seconds(30, (second) => [(second + 1) * 10, 10 + second])];
  expect(cost(pairs, 200)).toBeCloseTo(29, 0);
  expect(cost(pairs, 200, Infinity, 100_000)).toBeUndefined();
});
