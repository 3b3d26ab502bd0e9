import { describe, expect, it } from 'vitest';
import { Histogram } from '../../domain/distribution/histogram';
import { percentile } from '../../domain/series/percentile';
import { AudienceDistributions } from './audienceDistributions';

const jitterMs = (...values: number[]) => ({ jitterMs: Histogram.of(values) });

describe('the distributions of an audience', () => {
  it('are those of all testers, not the worst of them', () => {
    const distributions = new AudienceDistributions();
    const good = Array.from({ length: 900 }, (_, i) => 1 + i / 900);
    const bad = Array.from({ length: 100 }, (_, i) => 50 + i);
    distributions.take('a', 1, 10_300, jitterMs(...good), 10_300);
    distributions.take('b', 1, 10_700, jitterMs(...bad), 10_700);
    const [second, ...others] = distributions.due(10_700);
    expect(others).toEqual([]);
    const exact = percentile([...good, ...bad], 95) ?? NaN;
    expect(Math.abs((second?.histogram.percentile(95) ?? NaN) - exact) / exact).toBeLessThan(0.0055);
    expect(distributions.figures()).toMatchObject([{ distribution: 'jitterMs', count: 1000, min: 1, max: 149 }]);
  });

  it('wait for every tester that reports, and no longer than some seconds', () => {
    const distributions = new AudienceDistributions();
    distributions.take('a', 1, 1000, jitterMs(1), 1000);
    distributions.take('b', 1, 1900, jitterMs(2), 1900);
    expect(distributions.due(1900)).toHaveLength(1);
    distributions.take('a', 1, 2000, jitterMs(3), 2000);
    // b is late, its link may be lost.
    expect(distributions.due(3000)).toEqual([]);
    distributions.take('a', 1, 3000, jitterMs(4), 3000);
    expect(distributions.due(5200)).toHaveLength(2);
    // Its reports of these seconds still count.
    distributions.take('b', 1, 2900, jitterMs(9), 6000);
    expect(distributions.due(10_000).map(({ timeMs, histogram }) => [timeMs, histogram.high])).toEqual([[2000, 9]]);
    expect(distributions.figures()[0]).toMatchObject({ count: 5, seconds: 4 });
  });

  it('have one report of a tester in each second, even if they come a little early or late', () => {
    const distributions = new AudienceDistributions();
    const times = [1_001, 1_998, 3_004, 3_999, 5_002];
    for (const timeMs of times) distributions.take('a', 1, timeMs, jitterMs(1), timeMs);
    expect(distributions.rest().map(({ timeMs, histogram }) => [timeMs, histogram.count])).toEqual(
      [1000, 2000, 3000, 4000, 5000].map((secondMs) => [secondMs, 1]),
    );
  });

  it('are also told apart where there are several audiences', () => {
    const distributions = new AudienceDistributions();
    distributions.take('a', 1, 1000, jitterMs(1), 1000);
    distributions.take('a', 2, 1000, jitterMs(5), 1000);
    expect(distributions.figures().map(({ audience, count, max }) => [audience, count, max])).toEqual([
      [undefined, 2, 5],
      [1, 1, 1],
      [2, 1, 5],
    ]);
    expect(distributions.due(1000)).toHaveLength(2);
  });
});
