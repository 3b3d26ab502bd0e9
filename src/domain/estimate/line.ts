import { median, studentT } from './statistics';

/** What was seen of one resource for some seconds at one size of the audience. */
export interface Point {
  readonly viewers: number;
  /** In the resource's unit. */
  readonly value: number;
  /** Samples behind it. */
  readonly weight: number;
}

/** A straight line through points, with what is known of its error. */
export interface Line {
  /** Growth per viewer. */
  readonly slope: number;
  /** Value at nobody: below the smallest size, so never measured itself. */
  readonly idle: number;
  readonly slopeVariance: number;
  readonly idleVariance: number;
  /** Of slope and idle. */
  readonly covariance: number;
  /** Standard error of a further point of usual weight: its own scatter, or that of whole sizes where they are off. */
  readonly scatter: number;
  /** What standard errors are multiplied by for 95 %. */
  readonly t: number;
  /** Share of the points' variance that the line explains, 0 to 1. */
  readonly explained: number;
  /** Growth with the square of the viewers, where it is beyond chance. */
  readonly bend?: Bend;
}

/** The parabola that fits better than the line. */
export interface Bend {
  readonly idle: number;
  readonly slope: number;
  readonly square: number;
}

/** Residuals beyond so many times their usual scatter count for less: Huber's bound, which costs 5 % where nothing is wrong. */
const huberBound = 1.345;
/** From the median of absolute deviations to a standard deviation. */
const madFactor = 1.4826;
const rounds = 30;
/** Scatter of the levels beyond so many times what the points within them explain is no chance: the levels then are what there is. */
const lackOfFit = 3;
/** A bend that changes less than this part of the growth that was seen is none. */
const leastBend = 0.05;
const leastLevelsForBend = 4;
/** A bend has to be this many times its own bound: it is looked for in every resource, and chance finds one of twenty. */
const bendCaution = 1.5;

/**
 * The line through points that a few spikes can't tilt: it starts at Theil and Sen's median of slopes, and is then fitted by least squares with
 * Huber's weights. Undefined with fewer than two sizes or three points.
 */
export function fitLine(points: readonly Point[]): Line | undefined {
  const sizes = new Set(points.map(({ viewers }) => viewers));
  if (points.length < 3 || sizes.size < 2) return undefined;
  const weights = robustWeights(points);
  const fit = leastSquares(points, weights);
  const { scatterSquared, t } = errorOf(points, weights, (point) => residual(point, fit), 2);
  const { sum, meanX, xx } = fit;
  const slopeVariance = scatterSquared / xx;
  const meanY = fit.idle + fit.slope * meanX;
  const total = sumOf(points, (point, i) => (weights[i] ?? 0) * (point.value - meanY) ** 2);
  const left = sumOf(points, (point, i) => (weights[i] ?? 0) * residual(point, fit) ** 2);
  const usual = sumOf(points, ({ weight }) => weight) / points.length;
  const bend = bendOf(points, weights, fit);
  return {
    slope: fit.slope,
    idle: fit.idle,
    slopeVariance,
    idleVariance: scatterSquared / sum + meanX ** 2 * slopeVariance,
    covariance: -meanX * slopeVariance,
    scatter: Math.sqrt(scatterSquared / usual),
    t,
    explained: total > 0 ? Math.max(0, 1 - left / total) : 1,
    ...(bend && { bend }),
  };
}

interface Fit {
  readonly idle: number;
  readonly slope: number;
  readonly sum: number;
  readonly meanX: number;
  readonly xx: number;
}

const sumOf = <T>(all: readonly T[], of: (each: T, index: number) => number): number =>
  all.reduce((sum, each, index) => sum + of(each, index), 0);

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
    // All on one line: there is nothing to weigh.
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
 * The variance of a sample of weight 1. What changes slowly (another job of the machine, a heap that grows) moves a whole level at once, so that
 * its points agree with each other and not with the line: then the levels' own scatter counts, with as few degrees of freedom as there are levels.
 */
function errorOf(
  points: readonly Point[],
  weights: readonly number[],
  away: (point: Point) => number,
  parameters: number,
): { readonly scatterSquared: number; readonly t: number } {
  const left = sumOf(points, (point, i) => (weights[i] ?? 0) * away(point) ** 2);
  const free = points.length - parameters;
  const within = left / free;
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

/** The parabola, where its square is beyond chance and large enough to matter. */
function bendOf(points: readonly Point[], weights: readonly number[], line: Fit): Bend | undefined {
  const levels = new Set(points.map(({ viewers }) => viewers)).size;
  if (levels < leastLevelsForBend || points.length < leastLevelsForBend + 1) return undefined;
  // The square of the distance from the middle, freed of what a line has of it: what is left is the bend alone.
  const squares = points.map(({ viewers }) => (viewers - line.meanX) ** 2);
  const asPoints = points.map((point, i) => ({ ...point, value: squares[i] ?? 0 }));
  const straight = leastSquares(asPoints, weights);
  const pure = asPoints.map((point) => residual(point, straight));
  const size = sumOf(pure, (each, i) => (weights[i] ?? 0) * each ** 2);
  if (size === 0) return undefined;
  const square =
    sumOf(points, (point, i) => (weights[i] ?? 0) * (pure[i] ?? 0) * residual(point, line)) / size;
  const bend = {
    square,
    slope: line.slope - square * (straight.slope + 2 * line.meanX),
    idle: line.idle + square * (line.meanX ** 2 - straight.idle),
  };
  // Measured about the parabola itself: about the line, a bend would be its own error.
  const { scatterSquared, t } = errorOf(
    points,
    weights,
    (point) => point.value - onBend(bend, point.viewers),
    3,
  );
  if (Math.abs(square) <= bendCaution * t * Math.sqrt(scatterSquared / size)) return undefined;
  const sizes = points.map(({ viewers }) => viewers);
  const reach = Math.max(...sizes) - Math.min(...sizes);
  // Over the sizes that were seen a parabola leaves its chord by a quarter of square x reach^2.
  return Math.abs(square * reach) < 4 * leastBend * Math.abs(line.slope) ? undefined : bend;
}

/** How far the points lie from the line, root mean square. */
export function spreadOf(points: readonly Point[], line: Pick<Line, 'idle' | 'slope'>): number {
  return Math.sqrt(sumOf(points, (point) => residual(point, line) ** 2) / points.length);
}

/** The parabola's value at a size. */
export function onBend({ idle, slope, square }: Bend, viewers: number): number {
  return idle + slope * viewers + square * viewers ** 2;
}
