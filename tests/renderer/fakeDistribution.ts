import {
  figuresOfHistogram,
  heatStep,
  heatStepMs,
  type DistributionOverTime,
} from '../../src/domain/distribution/heatmap';
import { Histogram } from '../../src/domain/distribution/histogram';
import type { DistributionId } from '../../src/domain/series/distributions';

/** Two testers of very different networks: 80 % of the viewers around 2 ms, the others around 40 ms, growing. */
export function fakeDistribution(
  distribution: DistributionId,
  fromMs: number,
  toMs: number,
  columns: number,
): DistributionOverTime {
  const stepMs = heatStepMs(toMs - fromMs, columns);
  const firstMs = Math.ceil(fromMs / stepMs) * stepMs;
  const length = Math.max(0, Math.ceil((toMs - firstMs) / stepMs));
  const wave = (at: number): number => Math.abs(Math.sin(at * 12.9898) * 43_758.5453) % 1;
  const steps = Array.from({ length }, (_, step) =>
    Histogram.of(
      Array.from({ length: 200 }, (__, viewer) => {
        const spread = Math.exp((wave(step * 200 + viewer) - 0.5) * 1.4);
        return viewer % 5 === 0 ? (25 + (30 * step) / length) * spread : 2 * spread;
      }),
    ),
  );
  const whole = Histogram.merged(steps);
  return {
    stepMs,
    steps: steps.map((histogram, step) => heatStep(firstMs + step * stepMs, histogram)),
    ...(whole ? { figures: figuresOfHistogram(distribution, whole) } : {}),
  };
}

const range = { fromMs: 0, toMs: 120_000, columns: 120 };
/** Of a run with such an audience. */
export const fakeDistributionFigures = (['connectMs', 'firstFrameMs', 'jitterMs', 'rttMs'] as const).flatMap((id) => {
  const { figures } = fakeDistribution(id, range.fromMs, range.toMs, range.columns);
  return figures ? [figures] : [];
});
