import { describe, expect, it } from 'vitest';
import { averageOf, cpuSecondsOf, rssMbOf } from './processes.mjs';

describe('the cost of a process', () => {
  it('is read from /proc, for any process name', () => {
    const stat = '4711 (a name) with ) R 1 4711 4711 0 -1 4194560 2 0 0 0 150 50 0 0 20 0 7 0 900 1 2';
    expect(cpuSecondsOf(stat, 100)).toBe(2);
    expect(rssMbOf('Name:\tagent\nVmPeak:\t  99 kB\nVmRSS:\t   1000 kB\nThreads:\t7\n')).toBe(1.024);
    expect(rssMbOf('Name:\tgone\n')).toBeNaN();
  });
});

describe('the samples of a window', () => {
  it('are averaged except for the first, which covers time before it', () => {
    const samples = [500, 1500, 2500, 3500, 4500].map((atMs, index) => ({ atMs, rate: index * 10 }));
    expect(averageOf(samples, 1000, 4000, 'rate')).toBe(25);
    expect(averageOf(samples, 1000, 2000, 'rate')).toBeNaN();
    expect(averageOf(samples, 1000, 4000, 'other')).toBeNaN();
  });
});
