import type { ScaleSpec } from '../chartSpec';

/** Round scales: readable limits and ticks that change in steps, not per sample. */

/** Tops whose half is round as well, for the middle tick. */
const roundTops = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10] as const;

/** The smallest round number not below the value. */
export function roundTop(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const mantissa = value / power;
  const top = roundTops.find((top) => top >= mantissa - 1e-9) ?? 10;
  return Number((top * power).toPrecision(6));
}

export interface ScaleRange {
  readonly low: number;
  readonly high: number;
}

/**
 * Requested range of a panel's scale: at least `low` to `high`, exactly that if `fixed`; see `ScaleSpec` for `reach`.
 */
export type RequestedRange = ScaleSpec;

/** Margin above a value beyond the requested range, so the line does not run along the edge. */
const headroom = 1.04;
/** A scale shrinks only when the data needs less than this share of it. */
const shrinkBelow = 0.6;
/** A reference value is hidden again once the data falls below this share of what made it visible. */
const leavesBelow = 0.75;

/**
 * The range of a scale. It grows as soon as the data would touch its end and shrinks late, so that a value that
 * oscillates around a round number does not make the scale flicker. `labelShare` of the height stays free at the top,
 * for names.
 */
export function scaleRange(
  requested: RequestedRange,
  data: { lowest: number; highest: number },
  before: ScaleRange | undefined,
  labelShare = 0,
): ScaleRange {
  if (requested.fixed) return { low: requested.low, high: requested.high };
  const reached = reachOf(requested, data.highest, before);
  const highest = reached > requested.high ? reached * headroom : requested.high;
  if (requested.low > 0) {
    const low = data.lowest < requested.low ? lowerEnd(requested.low, data.lowest) : requested.low;
    return { low, high: Math.ceil(highest / 2) * 2 };
  }
  const needed = highest / (1 - labelShare);
  const high = roundTop(needed);
  const keeps = before !== undefined && high < before.high && needed > before.high * shrinkBelow;
  return { low: requested.low, high: keeps ? before.high : high };
}

/** The highest value to show. */
function reachOf({ reach }: RequestedRange, highest: number, before: ScaleRange | undefined): number {
  if (!reach) return highest;
  const wasInView = before !== undefined && before.high >= reach.to;
  return highest >= reach.from * (wasInView ? leavesBelow : 1) ? Math.max(highest, reach.to) : highest;
}

/** Scales that do not start at 0 extend down in quarters of the requested range, finally to 0. */
function lowerEnd(wished: number, lowest: number): number {
  const steps = [0.75, 0.5, 0.25].map((share) => Math.floor((wished * share) / 2) * 2);
  return steps.find((step) => step <= lowest) ?? 0;
}

/** Space that the label of a tick needs, with a gap. */
const tickLabelPx = 14;

/**
 * The ticks of a scale: both ends, and the middle where its label has space. A lower panel omits its top, where the
 * upper one has its 0, and its middle has to keep clear of that too.
 */
export function scaleTicks({ low, high }: ScaleRange, isLower: boolean, heightPx = Infinity): readonly number[] {
  const middle = heightPx < 2 * tickLabelPx ? [] : [Number(((low + high) / 2).toPrecision(6))];
  return isLower ? [low, ...middle] : [low, ...middle, high];
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const timeSteps = [
  1 * second,
  2 * second,
  5 * second,
  10 * second,
  15 * second,
  30 * second,
  1 * minute,
  2 * minute,
  5 * minute,
  10 * minute,
  15 * minute,
  30 * minute,
  1 * hour,
  2 * hour,
  4 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
];

/** Width of a time axis label in pixels, including margin: `1:47` or `1:02:30`. */
const shortLabelPx = 36;
const longLabelPx = 50;

/**
 * Distance of the ticks on a time axis, so that their labels do not touch. `untilMs` is the end, since the start of the
 * run.
 */
export function timeStep(spanMs: number, widthPx: number, untilMs: number): number {
  const minPx = untilMs >= hour ? longLabelPx : shortLabelPx;
  const minMs = (spanMs / Math.max(1, widthPx)) * minPx;
  return roundTimeStep(minMs);
}

/** The shortest round time of at least this length. */
export function roundTimeStep(minMs: number): number {
  return timeSteps.find((step) => step >= minMs) ?? Math.ceil(minMs / (24 * hour)) * 24 * hour;
}

/** The lowest round whole number that is not below a value: a digit times a power of ten. */
export function roundStep(min: number, digits: readonly number[] = [1, 2, 5, 10]): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, min)));
  return digits.map((digit) => digit * power).find((step) => step >= min && step % 1 === 0) ?? 10 * power;
}

/** Ticks at multiples of a step within a range. */
export function ticksEvery(from: number, to: number, step: number): readonly number[] {
  const ticks: number[] = [];
  for (let at = Math.ceil(from / step) * step; at <= to; at += step) ticks.push(at === 0 ? 0 : at);
  return ticks;
}
