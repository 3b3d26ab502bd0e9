import type { SpotCheckRating } from '../model/spotCheck';
import { degradedRule } from '../viewer/degraded';
import { freezeThresholdMs } from '../viewer/freeze';

/** Above this share of the time, freezes are bad however short each is. */
const maxFrozenShare = 0.05;

/** What was presented while a person watched. */
export interface WatchedFigures {
  readonly seconds: number;
  /** By `freezeLimitMs`. */
  readonly freezes: number;
  readonly frozenMs: number;
  readonly longestFreezeMs: number;
  /** Frames per second presented; undefined if unknown. */
  readonly fps?: number | undefined;
  /** The stream's own frame rate; undefined if unknown, then the rate is not judged. */
  readonly nominalFps?: number | undefined;
}

/**
 * From this length on, the display of one frame is a freeze; any stall is one as well.
 */
export function freezeLimitMs(meanFrameMs: number): number {
  return Math.min(degradedRule.stallMs, freezeThresholdMs(meanFrameMs));
}

/** How smooth the picture was by the figures, as a person would rate it. */
export function measuredRating(watched: WatchedFigures): SpotCheckRating {
  const { seconds, freezes, frozenMs, longestFreezeMs, fps, nominalFps = 0 } = watched;
  if (longestFreezeMs >= degradedRule.stallMs || frozenMs > maxFrozenShare * 1000 * seconds) return 'bad';
  const isSlow = fps !== undefined && fps < degradedRule.minFrameRateShare * nominalFps;
  return freezes > 0 || isSlow ? 'minor' : 'smooth';
}
