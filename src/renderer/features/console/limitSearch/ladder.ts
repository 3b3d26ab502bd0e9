import type { LimitResult, Trial } from '../../../../domain/model/limitFound';

export interface LadderSize {
  readonly width: number;
  readonly height: number;
}

/** A trial as a point: size upwards, trials in order to the right. */
export interface Rung {
  readonly trial: Trial;
  readonly x: number;
  readonly y: number;
}

export interface LadderPicture {
  readonly rungs: readonly Rung[];
  /** From trial to trial, for an SVG polyline. */
  readonly line: string;
  /** Interval that contains the limit so far. */
  readonly band?: { readonly y: number; readonly height: number };
  /** The size of the current trial. */
  readonly now?: { readonly x: number; readonly y: number };
  /** Size labels at the left. */
  readonly ticks: ReadonlyArray<{ readonly viewers: number; readonly y: number }>;
}

/** Space above the largest size, so its mark is fully visible. */
const headroom = 1.1;
const minBandPx = 2;
/** Size labels must not touch. */
const minTickPx = 12;

/** The sizes tried by a search, in order, within `size` (px). */
export function ladderPicture(limit: LimitResult, { width, height }: LadderSize): LadderPicture {
  const { trials, now, viewers, plusMinus, maxMet, minMissed } = limit;
  const sizes = [...trials.map((trial) => trial.viewers), ...(now ? [now.viewers] : []), 1];
  const top = Math.max(...sizes) * headroom;
  const places = trials.length + (now ? 1 : 0);
  const x = (place: number): number => (width * (place + 0.5)) / Math.max(1, places);
  const y = (count: number): number => height * (1 - count / top);
  const rungs = trials.map((trial, place): Rung => ({ trial, x: x(place), y: y(trial.viewers) }));
  const ends =
    viewers !== undefined && plusMinus !== undefined
      ? [viewers - plusMinus, viewers + plusMinus]
      : maxMet !== undefined && minMissed !== undefined
        ? [maxMet, minMissed]
        : undefined;
  const [from = 0, to = 0] = ends ?? [];
  const bandHeight = Math.max(minBandPx, y(from) - y(to));
  return {
    rungs,
    line: [...rungs, ...(now ? [{ x: x(trials.length), y: y(now.viewers) }] : [])]
      .map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`)
      .join(' '),
    ...(ends ? { band: { y: (y(from) + y(to) - bandHeight) / 2, height: bandHeight } } : {}),
    ...(now ? { now: { x: x(trials.length), y: y(now.viewers) } } : {}),
    ticks: ticksOf([viewers ?? minMissed, maxMet, Math.max(...sizes)], y),
  };
}

/** Those that fit, earlier ones first. */
function ticksOf(wanted: ReadonlyArray<number | undefined>, y: (viewers: number) => number): LadderPicture['ticks'] {
  const ticks: Array<{ viewers: number; y: number }> = [];
  for (const viewers of wanted) {
    if (viewers === undefined || viewers <= 0) continue;
    const at = y(viewers);
    if (ticks.every((tick) => Math.abs(tick.y - at) >= minTickPx)) ticks.push({ viewers, y: at });
  }
  return ticks;
}
