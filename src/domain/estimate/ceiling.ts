import { doublingError, type Ceiling, type Interval } from './estimate';
import { onBend, type Line } from './line';

/** Nobody asks beyond this; a ceiling further away is none. */
const mostViewers = 10_000_000;
/** A bend seen in a small stretch is no law for a large one: it widens the interval by this part of the growth at most. */
const mostBend = 0.5;

/** The line's value at a size, with the interval in which a mean over some seconds there lies. `largest` is the largest size that was seen. */
export function predict(line: Line, viewers: number, largest: number): Required<Interval> {
  const { slope, idle, slopeVariance, idleVariance, covariance, scatter, t, bend } = line;
  const value = idle + slope * viewers;
  const variance = idleVariance + 2 * viewers * covariance + viewers ** 2 * slopeVariance + scatter ** 2;
  const doublings = viewers > largest ? Math.log2(viewers / largest) : 0;
  const growth = Math.abs(slope * viewers);
  const half = Math.hypot(t * Math.sqrt(Math.max(0, variance)), doublingError * doublings * growth);
  const bent = bend ? clamp(onBend(bend, viewers) - value, mostBend * growth) : 0;
  return { value, low: value - half + Math.min(0, bent), high: value + half + Math.max(0, bent) };
}

/** Growth per viewer with its interval. */
export function perViewer({ slope, slopeVariance, t }: Line): Required<Interval> {
  const half = t * Math.sqrt(slopeVariance);
  return { value: slope, low: slope - half, high: slope + half };
}

/** Where the line reaches a value. Undefined where it does not rise, or is there from the beginning. */
export function ceilingOf(line: Line, value: number, largest: number): Ceiling | undefined {
  if (line.slope <= 0 || value <= line.idle) return undefined;
  const viewers = (value - line.idle) / line.slope;
  if (viewers > mostViewers) return undefined;
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

/** The earliest size at which the value may be reached. Undefined where it is not even then. */
export function earliest(line: Line, value: number, largest: number): number | undefined {
  return firstOver((at) => predict(line, at, largest).high, value);
}

/** The first size at which `of` is over a value: by leaps, and then to a hundredth of a viewer. */
function firstOver(of: (viewers: number) => number, value: number): number | undefined {
  let below = 0;
  let over = 1;
  if (of(0) >= value) return 0;
  while (of(over) < value) {
    below = over;
    over *= 1.1;
    if (over > mostViewers) return undefined;
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
