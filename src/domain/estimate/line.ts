import { z } from 'zod';
import { immutable } from '../model/schema';
import { median, studentT } from './statistics';

/** One resource measured for some seconds at one audience size. */
export const point = immutable(
  z.object({
    viewers: z.number(),
    /** In the resource's unit. */
    value: z.number(),
    /** Number of samples. */
    weight: z.number(),
  }),
);
export type Point = z.infer<typeof point>;

/** The parabola that fits better than the line. */
const quadratic = immutable(z.object({ idle: z.number(), slope: z.number(), square: z.number() }));
export type Quadratic = z.infer<typeof quadratic>;

/** A straight line through points, with its error. */
export const line = immutable(
  z.object({
    /** Growth per viewer. */
    slope: z.number(),
    /** Value at 0 viewers: below the smallest size, so never measured itself. */
    idle: z.number(),
    slopeVariance: z.number(),
    idleVariance: z.number(),
    /** Covariance of slope and idle. */
    covariance: z.number(),
    /** Standard error of a further point of usual weight: its own scatter, or that of entire levels if they are off. */
    scatter: z.number(),
    /** Factor of the standard errors for 95 %. */
    t: z.number(),
    /** Share of the points' variance that the line explains, 0 to 1. */
    explained: z.number(),
    /** Growth with the square of the viewers, if significant. */
    quadratic: quadratic.optional(),
  }),
);
export type FittedLine = z.infer<typeof line>;

/**
 * Residuals beyond so many times their usual scatter are weighted down: Huber's bound, at 5 % efficiency loss for clean
 * data.
 */
const huberBound = 1.345;
/** From the median of absolute deviations to a standard deviation. */
const madFactor = 1.4826;
const rounds = 30;
/** If levels scatter by more than so many times what their points explain, the levels are taken as the points. */
const lackOfFit = 3;
/** Curvature that changes less than this share of the measured growth is ignored. */
const minBend = 0.05;
const minLevelsForBend = 4;
/** Curvature has to exceed its own bound by this factor: every resource is tested, and chance finds one in twenty. */
const bendCaution = 1.5;

/**
 * The line through points that a few spikes can't tilt: it starts at the Theil-Sen median of slopes, and is then fitted
 * by least squares with Huber's weights. Undefined with fewer than two sizes or three points.
 */
export function fitLine(points: readonly Point[]): FittedLine | undefined {
  const sizes = new Set(points.map(({ viewers }) => viewers));
  if (points.length < 3 || sizes.size < 2) return undefined;
  const weights = robustWeights(points);
  const fit = leastSquares(points, weights);
  const { scatterSquared, t } = errorOf(points, weights, (point) => residual(point, fit), 2);
  const { sum, meanX, xx } = fit;
  const slopeVariance = scatterSquared / xx;
  const meanY = fit.idle + fit.slope * meanX;
  const total = sumOf(points, (point, i) => (weights[i] ?? 0) * (point.value - meanY) ** 2);
  const remainder = sumOf(points, (point, i) => (weights[i] ?? 0) * residual(point, fit) ** 2);
  const usual = sumOf(points, ({ weight }) => weight) / points.length;
  const quadratic = bendOf(points, weights, fit);
  return {
    slope: fit.slope,
    idle: fit.idle,
    slopeVariance,
    idleVariance: scatterSquared / sum + meanX ** 2 * slopeVariance,
    covariance: -meanX * slopeVariance,
    scatter: Math.sqrt(scatterSquared / usual),
    t,
    explained: total > 0 ? Math.max(0, 1 - remainder / total) : 1,
    ...(quadratic && { quadratic }),
  };
}

interface Fit {
  readonly idle: number;
  readonly slope: number;
  readonly sum: number;
  readonly meanX: number;
  readonly xx: number;
}

const sumOf = <T>(all: readonly T[], of: (item: T, index: number) => number): number =>
  all.reduce((sum, item, index) => sum + of(item, index), 0);

const residual = ({ viewers, value }: Point, { idle, slope }: Pick<Fit, 'idle' | 'slope'>): number =>
  value - idle - slope * viewers;

function leastSquares(points: readonly Point[], weights: readonly number[]): Fit {
  const sum = sumOf(weights, (weight) => weight);
  const meanX = sumOf(points, ({ viewers }, i) => (weights[i] ?? 0) * viewers) / sum;
  const meanY = sumOf(points, ({ value }, i) => (weights[i] ?? 0) * value) / sum;
  const xx = sumOf(points, ({ viewers }, i) => (weights[i] ?? 0) * (viewers - meanX) ** 2);
  const xy = sumOf(points, (point, i) => (weights[i] ?? 0) * (point.viewers - meanX) * (point.value - meanY));
  return { idle: meanY - (xy / xx) * meanX, slope: xy / xx, sum, meanX, xx };
}

function robustWeights(points: readonly Point[]): readonly number[] {
  let fit: Pick<Fit, 'idle' | 'slope'> = theilSen(points);
  let weights = points.map(({ weight }) => weight);
  for (let round = 0; round < rounds; round += 1) {
    const residuals = points.map((point) => residual(point, fit));
    const scale = madFactor * median(residuals.map(Math.abs));
    // All on one line: no weights needed.
    if (scale === 0) return points.map(({ weight }) => weight);
    weights = points.map(({ weight }, i) => {
      const away = Math.abs(residuals[i] ?? 0) / scale;
      return weight * (away <= huberBound ? 1 : huberBound / away);
    });
    fit = leastSquares(points, weights);
  }
  return weights;
}

function theilSen(points: readonly Point[]): { idle: number; slope: number } {
  const slopes = points.flatMap((a, i) =>
    points
      .slice(i + 1)
      .filter((b) => b.viewers !== a.viewers)
      .map((b) => (b.value - a.value) / (b.viewers - a.viewers)),
  );
  const slope = median(slopes);
  return { slope, idle: median(points.map(({ viewers, value }) => value - slope * viewers)) };
}

/**
 * The variance of a sample of weight 1. Slow changes (another job on the machine, a growing heap) shift an entire
 * level, so that its points agree with each other but not with the line. Then the scatter of the levels counts, with as
 * few degrees of freedom as there are levels.
 */
function errorOf(
  points: readonly Point[],
  weights: readonly number[],
  away: (point: Point) => number,
  parameters: number,
): { readonly scatterSquared: number; readonly t: number } {
  const remainder = sumOf(points, (point, i) => (weights[i] ?? 0) * away(point) ** 2);
  const free = points.length - parameters;
  const within = remainder / free;
  const levels = levelsOf(points, weights);
  const freeLevels = levels.length - parameters;
  if (freeLevels < 1) return { scatterSquared: within, t: studentT(free) };
  const between = sumOf(levels, (level) => level.weight * away(level) ** 2) / freeLevels;
  const isLoose = between > lackOfFit * within;
  return {
    scatterSquared: Math.max(within, between),
    t: studentT(isLoose ? freeLevels : free),
  };
}

function levelsOf(points: readonly Point[], weights: readonly number[]): Point[] {
  const levels = new Map<number, { weight: number; sum: number }>();
  points.forEach(({ viewers, value }, i) => {
    const level = levels.get(viewers) ?? { weight: 0, sum: 0 };
    level.weight += weights[i] ?? 0;
    level.sum += (weights[i] ?? 0) * value;
    levels.set(viewers, level);
  });
  return [...levels].map(([viewers, { weight, sum }]) => ({ viewers, value: sum / weight, weight }));
}

/** The parabola, if its square is significant and large enough to matter. */
function bendOf(points: readonly Point[], weights: readonly number[], line: Fit): Quadratic | undefined {
  const levels = new Set(points.map(({ viewers }) => viewers)).size;
  if (levels < minLevelsForBend || points.length < minLevelsForBend + 1) return undefined;
  // The square of the distance from the centre, orthogonal to the line: what remains is the curvature alone.
  const squares = points.map(({ viewers }) => (viewers - line.meanX) ** 2);
  const asPoints = points.map((point, i) => ({ ...point, value: squares[i] ?? 0 }));
  const straight = leastSquares(asPoints, weights);
  const pure = asPoints.map((point) => residual(point, straight));
  const size = sumOf(pure, (each, i) => (weights[i] ?? 0) * each ** 2);
  if (size === 0) return undefined;
  const square = sumOf(points, (point, i) => (weights[i] ?? 0) * (pure[i] ?? 0) * residual(point, line)) / size;
  const quadratic = {
    square,
    slope: line.slope - square * (straight.slope + 2 * line.meanX),
    idle: line.idle + square * (line.meanX ** 2 - straight.idle),
  };
  // Measured about the parabola itself: about the line, the curvature would count as error.
  const { scatterSquared, t } = errorOf(
    points,
    weights,
    (point) => point.value - onQuadratic(quadratic, point.viewers),
    3,
  );
  if (Math.abs(square) <= bendCaution * t * Math.sqrt(scatterSquared / size)) return undefined;
  const sizes = points.map(({ viewers }) => viewers);
  const reach = Math.max(...sizes) - Math.min(...sizes);
  // Over the measured sizes a parabola deviates from its chord by a quarter of square x reach^2.
  return Math.abs(square * reach) < 4 * minBend * Math.abs(line.slope) ? undefined : quadratic;
}

/** Root mean square distance of the points from the line. */
export function spreadOf(points: readonly Point[], line: Pick<FittedLine, 'idle' | 'slope'>): number {
  return Math.sqrt(sumOf(points, (point) => residual(point, line) ** 2) / points.length);
}

/** The parabola's value at a size. */
export function onQuadratic({ idle, slope, square }: Quadratic, viewers: number): number {
  return idle + slope * viewers + square * viewers ** 2;
}
