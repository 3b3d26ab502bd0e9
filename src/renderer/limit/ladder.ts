import type { LimitFound, Trial } from '../../domain/search/found';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A trial as a point: sizes upwards, one trial after the other to the right. */
export interface Rung {
  readonly trial: Trial;
  readonly x: number;
  readonly y: number;
}

export interface LadderPicture {
  readonly rungs: readonly Rung[];
  /** From trial to trial, for an SVG polyline. */
  readonly line: string;
  /** What the limit lies in so far. */
  readonly band?: { readonly y: number; readonly height: number };
  /** The size that is tried now. */
  readonly now?: { readonly x: number; readonly y: number };
  /** Sizes to be named at the left. */
  readonly ticks: ReadonlyArray<{ readonly viewers: number; readonly y: number }>;
}

/** Room above the largest size, so that its mark is seen whole. */
const headroom = 1.1;
const leastBandPx = 2;
/** Names of sizes must not touch each other. */
const leastTickPx = 12;

/** The sizes that a search has tried, in their order, within `size` (px). */
export function ladderPicture(limit: LimitFound, { width, height }: Size): LadderPicture {
  const { trials, now, viewers, plusMinus, held, broke } = limit;
  const sizes = [...trials.map((trial) => trial.viewers), ...(now ? [now.viewers] : []), 1];
  const top = Math.max(...sizes) * headroom;
  const places = trials.length + (now ? 1 : 0);
  const x = (place: number): number => (width * (place + 0.5)) / Math.max(1, places);
  const y = (count: number): number => height * (1 - count / top);
  const rungs = trials.map((trial, place): Rung => ({ trial, x: x(place), y: y(trial.viewers) }));
  const ends =
    viewers !== undefined && plusMinus !== undefined
      ? [viewers - plusMinus, viewers + plusMinus]
      : held !== undefined && broke !== undefined
        ? [held, broke]
        : undefined;
  const [from = 0, to = 0] = ends ?? [];
  const bandHeight = Math.max(leastBandPx, y(from) - y(to));
  return {
    rungs,
    line: [...rungs, ...(now ? [{ x: x(trials.length), y: y(now.viewers) }] : [])]
      .map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`)
      .join(' '),
    ...(ends ? { band: { y: (y(from) + y(to) - bandHeight) / 2, height: bandHeight } } : {}),
    ...(now ? { now: { x: x(trials.length), y: y(now.viewers) } } : {}),
    ticks: ticksOf([viewers ?? broke, held, Math.max(...sizes)], y),
  };
}

/** Those that have room, the first of them first. */
function ticksOf(
  wanted: ReadonlyArray<number | undefined>,
  y: (viewers: number) => number,
): LadderPicture['ticks'] {
  const ticks: Array<{ viewers: number; y: number }> = [];
  for (const viewers of wanted) {
    if (viewers === undefined || viewers <= 0) continue;
    const at = y(viewers);
    if (ticks.every((tick) => Math.abs(tick.y - at) >= leastTickPx)) ticks.push({ viewers, y: at });
  }
  return ticks;
}
