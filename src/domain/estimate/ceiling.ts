import { doublingError, type Ceiling, type EstimatedInterval } from './estimate';
import { onQuadratic, type FittedLine } from './line';

/** No realistic audience is larger; a ceiling further away counts as none. */
const maxViewers = 10_000_000;
/**
 * Curvature measured over a small range is no law for a large one: it widens the interval by at most this share of the
 * growth.
 */
const maxBend = 0.5;

/** An interval that is wider than its value, or open, is no answer. */
export function isVague({ value, low, high = Infinity }: EstimatedInterval): boolean {
  return high - low > Math.abs(value);
}

/**
 * The line's value at a size, with the interval for a mean over some seconds there. `largest` is the largest measured
 * size.
 */
export function predict(line: FittedLine, viewers: number, largest: number): Required<EstimatedInterval> {
  const { slope, idle, slopeVariance, idleVariance, covariance, scatter, t, quadratic } = line;
  const value = idle + slope * viewers;
  const variance = idleVariance + 2 * viewers * covariance + viewers ** 2 * slopeVariance + scatter ** 2;
  const doublings = viewers > largest ? Math.log2(viewers / largest) : 0;
  const growth = Math.abs(slope * viewers);
  const half = Math.hypot(t * Math.sqrt(Math.max(0, variance)), doublingError * doublings * growth);
  const bent = quadratic ? clamp(onQuadratic(quadratic, viewers) - value, maxBend * growth) : 0;
  return { value, low: value - half + Math.min(0, bent), high: value + half + Math.max(0, bent) };
}

/** Growth per viewer with its interval. */
export function perViewer({ slope, slopeVariance, t }: FittedLine): Required<EstimatedInterval> {
  const half = t * Math.sqrt(slopeVariance);
  return { value: slope, low: slope - half, high: slope + half };
}

/** Where the line reaches a value. Undefined if it does not rise, or is there from the start. */
export function ceilingOf(line: FittedLine, value: number, largest: number): Ceiling | undefined {
  if (line.slope <= 0 || value <= line.idle) return undefined;
  const viewers = (value - line.idle) / line.slope;
  if (viewers > maxViewers) return undefined;
  const low = firstOver((at) => predict(line, at, largest).high, value);
  const high = firstOver((at) => predict(line, at, largest).low, value);
  return {
    value: viewers,
    low: Math.min(viewers, low ?? viewers),
    ...(high !== undefined && { high: Math.max(viewers, high) }),
    mark: viewers <= largest ? 'measured' : 'extrapolated',
    times: viewers / largest,
  };
}

/** The earliest size at which the value may be reached. Undefined if never. */
export function earliest(line: FittedLine, value: number, largest: number): number | undefined {
  return firstOver((at) => predict(line, at, largest).high, value);
}

/** The first size at which `of` exceeds a value: by doubling, then to a hundredth of a viewer. */
function firstOver(of: (viewers: number) => number, value: number): number | undefined {
  let below = 0;
  let over = 1;
  if (of(0) >= value) return 0;
  while (of(over) < value) {
    below = over;
    over *= 1.1;
    if (over > maxViewers) return undefined;
  }
  while (over - below > 0.01) {
    const middle = (below + over) / 2;
    if (of(middle) < value) below = middle;
    else over = middle;
  }
  return over;
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}
