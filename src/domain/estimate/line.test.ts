import { describe, expect, it } from 'vitest';
import { ceilingOf, perViewer, predict } from './ceiling';
import { fitLine, onQuadratic, type Point } from './line';

/** A fixed sequence, approximately normal: the sum of twelve uniform numbers. */
function normal(seed: number): () => number {
  let state = seed * 7919 + 11;
  const even = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => Array.from({ length: 12 }, even).reduce((sum, each) => sum + each, -6);
}

const sizes = [8, 16, 24, 32, 40];
function seen(of: (viewers: number) => number, blocks = 3): Point[] {
  return sizes.flatMap((viewers) => Array.from({ length: blocks }, () => ({ viewers, value: of(viewers), weight: 5 })));
}

describe('the line through the measured points', () => {
  it('is exact without noise', () => {
    const line = fitLine(seen((viewers) => 12 + 0.3 * viewers));
    expect(line?.slope).toBeCloseTo(0.3);
    expect(line?.idle).toBeCloseTo(12);
    expect(line?.explained).toBeCloseTo(1);
    expect(line?.scatter).toBeCloseTo(0);
    expect(line?.quadratic).toBeUndefined();
  });

  it('is not tilted by spikes at the largest size', () => {
    const random = normal(3);
    const points = seen((viewers) => 12 + 0.3 * viewers + 0.1 * random(), 5);
    const spiked = points.map((point, i) => (i === 24 || i === 22 ? { ...point, value: 90 } : point));
    const line = fitLine(spiked);
    expect(Math.abs((line?.slope ?? 0) - 0.3)).toBeLessThan(0.05);
    expect(fitLine(spiked)?.quadratic).toBeUndefined();
  });

  it('needs two sizes and three points', () => {
    const at = (viewers: number): Point => ({ viewers, value: viewers, weight: 5 });
    expect(fitLine([at(1), at(2)])).toBeUndefined();
    expect(fitLine([at(5), at(5), at(5)])).toBeUndefined();
    expect(fitLine([at(5), at(5), at(6)])?.slope).toBeCloseTo(1);
  });

  it('detects curvature, and extrapolates it', () => {
    const random = normal(5);
    const line = fitLine(seen((viewers) => 10 + 0.1 * viewers + 0.02 * viewers ** 2 + 0.2 * random()));
    expect(line?.quadratic?.square).toBeCloseTo(0.02, 2);
    expect(line?.quadratic && onQuadratic(line.quadratic, 40)).toBeCloseTo(46, 0);
    const straight = fitLine(seen((viewers) => 10 + 0.5 * viewers + 0.2 * random()));
    expect(straight?.quadratic).toBeUndefined();
  });

  it('widens with slow changes, which shift entire levels', () => {
    const random = normal(9);
    const quick = fitLine(seen((viewers) => viewers + random()));
    const drift = sizes.map(() => 3 * random());
    const slow = fitLine(seen((viewers) => viewers + (drift[sizes.indexOf(viewers)] ?? 0) + 0.1 * random()));
    const width = (line: typeof slow): number => (line ? perViewer(line).high - perViewer(line).low : 0);
    expect(width(slow)).toBeGreaterThan(2 * width(quick));
    expect(slow?.t).toBeCloseTo(3.182);
  });
});

describe('its extrapolation', () => {
  /** Over many runs with noise: how often the true value is inside the interval. */
  function hits(noise: (random: () => number) => (viewers: number) => number): {
    inside: number;
    of: number;
  } {
    let inside = 0;
    const of = 200;
    for (let run = 0; run < of; run += 1) {
      const line = fitLine(seen(noise(normal(run + 1))));
      const ceiling = line && ceilingOf(line, 5 + 0.2 * 400, 40);
      if (ceiling && ceiling.low <= 400 && (ceiling.high ?? Infinity) >= 400) inside += 1;
    }
    return { inside, of };
  }

  it('contains the true ceiling in its interval, at ten times the largest size', () => {
    const { inside, of } = hits((random) => (viewers) => 5 + 0.2 * viewers + 0.4 * random());
    expect(inside / of).toBeGreaterThanOrEqual(0.95);
  });

  it('does so if entire levels are off, e.g. due to another job on the machine', () => {
    const { inside, of } = hits((random) => {
      const levels = new Map(sizes.map((size) => [size, 0.4 * random()]));
      return (viewers) => 5 + 0.2 * viewers + (levels.get(viewers) ?? 0) + 0.05 * random();
    });
    expect(inside / of).toBeGreaterThanOrEqual(0.9);
  });

  it('is less certain further away, even without noise', () => {
    const line = fitLine(seen((viewers) => 2 * viewers));
    if (!line) throw new Error('No line.');
    const width = (viewers: number): number => predict(line, viewers, 40).high - predict(line, viewers, 40).low;
    expect(width(40)).toBeCloseTo(0);
    expect(width(80) / 80).toBeGreaterThan(0.1);
    expect(width(800) / 800).toBeGreaterThan(3 * (width(80) / 80));
  });

  it('marks results beyond the measured sizes', () => {
    const line = fitLine(seen((viewers) => 2 * viewers));
    expect(line && ceilingOf(line, 60, 40)).toMatchObject({ mark: 'measured', value: 30 });
    expect(line && ceilingOf(line, 1600, 40)).toMatchObject({ mark: 'extrapolated', value: 800, times: 20 });
    expect(line && ceilingOf(line, -1, 40)).toBeUndefined();
  });

  it('has an open end if the growth may be zero', () => {
    const random = normal(4);
    const line = fitLine(seen((viewers) => 50 + 0.02 * viewers + random()));
    const ceiling = line && ceilingOf(line, 80, 40);
    expect(ceiling?.high).toBeUndefined();
  });
});
