import { expect, it } from 'vitest';
import type { Sample } from '../../domain/series/series';
import { RunSamples } from './runSamples';

const cpu = (timeMs: number, value: number, node = 'origin'): Sample => ({
  ...{ timeMs, node, series: 'cpuPercent', value },
});

it('has what a run file would have: in order, each millisecond once, the end excluded', () => {
  const samples = new RunSamples();
  samples.add([cpu(3000, 3), cpu(1000, 1), cpu(5000, 5)]);
  // Replayed by an agent whose link was lost.
  samples.add([cpu(2000.4, 2), cpu(3000, 33), cpu(4000, 4), cpu(4000, 9, 'other'), cpu(4500, NaN)]);
  expect(samples.values('origin', 'cpuPercent', 2000, 5000)).toEqual({ timeMs: [2000, 3000, 4000], value: [2, 3, 4] });
  expect(samples.values('origin', 'cpuPercent', 0, 9000).value).toEqual([1, 2, 3, 4, 5]);
  expect(samples.values('origin', 'gcPauseMs', 0, 9000)).toEqual({ timeMs: [], value: [] });
});

it('drops the oldest of a series that is too long', () => {
  const samples = new RunSamples(100);
  for (let second = 0; second < 1000; second += 1) samples.add([cpu(second * 1000, second)]);
  const { value } = samples.values('origin', 'cpuPercent', 0, 1e9);
  expect(value.length).toBeGreaterThanOrEqual(100);
  expect(value.length).toBeLessThan(120);
  expect(value.at(-1)).toBe(999);
});
