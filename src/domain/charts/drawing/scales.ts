import type { ScaleSpec } from '../chartSpec';

/** Round scales: readable limits and ticks that change in steps, not per sample. */

/** Tops that two or three of the `roundSteps` reach. */
const roundTops = [1, 1.5, 2, 3, 4, 5, 6, 10] as const;
/** Distances of ticks, times a power of ten. */
const roundSteps = [1, 2, 2.5, 5] as const;

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
  const { most = Infinity } = requested;
  const reached = reachOf(requested, data.highest, before);
  const highest = reached > requested.high ? reached * headroom : requested.high;
  if (requested.low > 0) {
    const low = data.lowest < requested.low ? lowerEnd(requested.low, data.lowest) : requested.low;
    return { low, high: Math.min(most, Math.ceil(highest / 2) * 2) };
  }
  const needed = highest / (1 - labelShare);
  const high = Math.min(most, roundTop(needed));
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
/** Without one: two labels that do not touch. */
const tightLabelPx = 9;
/** Most distances of ticks on a scale. */
const mostSteps = 3;

/** The round distance of ticks that reaches both ends of a scale in the fewest labels above two, else the next one. */
function stepWithin(low: number, high: number): number {
  const leastStep = (high - low) / (mostSteps + 1);
  const power = 10 ** Math.floor(Math.log10(leastStep));
  const steps = [power, 10 * power].flatMap((unit) => roundSteps.map((step) => step * unit));
  const fitting = steps.filter((step) => (high - low) / step <= mostSteps + 1e-9);
  const isMultiple = (value: number, step: number): boolean => Math.abs(value / step - Math.round(value / step)) < 1e-9;
  const exact = fitting.find((step) => step < high - low && isMultiple(low, step) && isMultiple(high, step));
  return exact ?? fitting[0] ?? high - low;
}

/**
 * The round ticks of a scale, as many as their labels have space for. A lower panel has none at its top, where the upper
 * one ends, and no 0: that is written once, for both.
 */
export function scaleTicks({ low, high }: ScaleRange, isLower: boolean, heightPx = Infinity): readonly number[] {
  const step = stepWithin(low, high);
  const ticks = ticksEvery(low, high + step * 1e-9, step).map((tick) => Number(tick.toPrecision(6)));
  const pxOf = (distance: number): number => (heightPx === Infinity ? Infinity : (heightPx * distance) / (high - low));
  if (isLower) {
    const inside = ticks.filter((tick) => tick !== 0 && tick < high && pxOf(high - tick) >= tightLabelPx);
    return pxOf(step) >= tickLabelPx ? inside : inside.slice(0, 1);
  }
  if (pxOf(step) >= tickLabelPx) return ticks;
  const [first, last] = [ticks[0] ?? low, ticks.at(-1) ?? high];
  const middle = ticks[(ticks.length - 1) / 2];
  const three = middle !== undefined && pxOf(middle - first) >= tickLabelPx ? [first, middle, last] : [first, last];
  return ticks.length < 2 ? ticks : three;
}

/** The distance of ticks, for their labels. */
export function stepOf(ticks: readonly number[]): number {
  const [first = 1, second] = ticks;
  return Math.abs(second === undefined ? first : second - first) || 1;
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
