import { describe, expect, it } from 'vitest';
import { ceilingOf, perViewer, predict } from '../../../domain/estimate/ceiling';
import type { ResourceEstimate } from '../../../domain/estimate/estimate';
import { fitLine } from '../../../domain/estimate/line';
import { fitPicture } from './fitChart';

const seen = { width: 76, height: 40 };
const ahead = { width: 108, height: 40 };

function cpu(threshold?: number): ResourceEstimate {
  const points = [10, 20, 30, 40].map((viewers) => ({ viewers, value: 4 + 0.1 * viewers, weight: 5 }));
  const line = fitLine(points);
  if (!line) throw new Error('No line.');
  const ceiling = threshold === undefined ? undefined : ceilingOf(line, threshold, 40);
  return {
    id: 'hostCpu',
    series: 'cpuPercent',
    points,
    line,
    perViewer: perViewer(line),
    idle: predict(line, 0, 40),
    isRising: true,
    ...(threshold !== undefined && { threshold: { value: threshold, text: '' } }),
    ...(ceiling && { ceiling }),
    notes: [],
  };
}

describe('the chart of a fit', () => {
  it('shows only the measurements without a threshold', () => {
    const picture = fitPicture(cpu(), seen, ahead);
    expect(picture.points).toHaveLength(4);
    expect(picture.future).toBeUndefined();
    for (const { x, y } of picture.points) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(seen.width);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(seen.height);
    }
  });

  it('is solid to the largest size, and dotted to the threshold beyond it', () => {
    const { future } = fitPicture(cpu(80), seen, ahead);
    if (!future) throw new Error('No projection.');
    // 760 viewers from 40: a twentieth of the range is measured.
    expect(future.measuredX).toBeLessThan(ahead.width / 15);
    expect(future.fromX).toBeLessThan(future.atX);
    expect(future.atX).toBeLessThan(future.toX);
    expect(future.toX).toBeLessThanOrEqual(ahead.width);
    expect(future.thresholdY).toBeGreaterThan(0);
    const [, startX, startY] = /^M([\d.]+) ([\d.]+)/.exec(future.dotted) ?? [];
    expect(Number(startX)).toBeCloseTo(future.measuredX, 0);
    expect(Number(startY)).toBeGreaterThan(future.thresholdY);
  });
});
