import type { ScaleSpec } from '../../domain/charts';

/** Round scales: limits and ticks that people can read, changing in steps and not per sample. */

/** Tops whose half is round as well, since the middle tick stands there. */
const roundTops = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10] as const;

/** The least round number that is not below the value. */
export function roundTop(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const mantissa = value / power;
  const top = roundTops.find((each) => each >= mantissa - 1e-9) ?? 10;
  return Number((top * power).toPrecision(6));
}

export interface ScaleRange {
  readonly low: number;
  readonly high: number;
}

/** What a panel's scale wants: at least `low` to `high`, no more than that when `fixed`; see `ScaleSpec` for `reach`. */
export type ScaleWish = ScaleSpec;

/** Room kept above a value higher than wished, so that the line does not run along the edge. */
const headroom = 1.04;
/** A scale shrinks only when the data needs less than this share of it. */
const shrinkBelow = 0.6;
/** A value that was brought into view leaves it again when the data has fallen below this share of what brought it. */
const leavesBelow = 0.75;

/**
 * The range of a scale. It grows as soon as the data would touch its end and shrinks late, so that a value that wavers
 * around a round number does not make the scale flicker. `labelShare` of the height stays free at the top, for names.
 */
export function scaleRange(
  wish: ScaleWish,
  data: { lowest: number; highest: number },
  before: ScaleRange | undefined,
  labelShare = 0,
): ScaleRange {
  if (wish.fixed) return { low: wish.low, high: wish.high };
  const reached = reachOf(wish, data.highest, before);
  const highest = reached > wish.high ? reached * headroom : wish.high;
  if (wish.low > 0) {
    const low = data.lowest < wish.low ? lowerEnd(wish.low, data.lowest) : wish.low;
    return { low, high: Math.ceil(highest / 2) * 2 };
  }
  const needed = highest / (1 - labelShare);
  const high = roundTop(needed);
  const keeps = before !== undefined && high < before.high && needed > before.high * shrinkBelow;
  return { low: wish.low, high: keeps ? before.high : high };
}

/** The highest value that belongs into view. */
function reachOf({ reach }: ScaleWish, highest: number, before: ScaleRange | undefined): number {
  if (!reach) return highest;
  const wasInView = before !== undefined && before.high >= reach.to;
  return highest >= reach.from * (wasInView ? leavesBelow : 1) ? Math.max(highest, reach.to) : highest;
}

/** Scales that do not start at 0 go down in quarters of their wish, and to 0 in the end. */
function lowerEnd(wished: number, lowest: number): number {
  const steps = [0.75, 0.5, 0.25].map((share) => Math.floor((wished * share) / 2) * 2);
  return steps.find((step) => step <= lowest) ?? 0;
}

/** The ticks of a scale: both ends and the middle; a lower panel leaves out its top, where the upper one has its 0. */
export function scaleTicks({ low, high }: ScaleRange, isLower: boolean): readonly number[] {
  const middle = Number(((low + high) / 2).toPrecision(6));
  return isLower ? [low, middle] : [low, middle, high];
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

/** Pixels that a label of the time axis needs, air included: `1:47` or `1:02:30`. */
const shortLabelPx = 36;
const longLabelPx = 50;

/** Distance of the ticks on a time axis, so that their labels do not touch. `untilMs` is the end, since the start of the run. */
export function timeStep(spanMs: number, widthPx: number, untilMs: number): number {
  const leastPx = untilMs >= hour ? longLabelPx : shortLabelPx;
  const leastMs = (spanMs / Math.max(1, widthPx)) * leastPx;
  const known = timeSteps.find((step) => step >= leastMs);
  return known ?? Math.ceil(leastMs / (24 * hour)) * 24 * hour;
}

/** Ticks at round run times within a range (ms since the start of the run). */
export function timeTicks(fromMs: number, toMs: number, stepMs: number): readonly number[] {
  const ticks: number[] = [];
  for (let at = Math.ceil(fromMs / stepMs) * stepMs; at <= toMs; at += stepMs) ticks.push(at === 0 ? 0 : at);
  return ticks;
}
