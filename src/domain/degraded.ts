/**
 * The one definition of a degraded viewer. The agent applies it to every viewer each second
 * (`agent/internal`, same figures), the control player to itself.
 */
export const degradedRule = {
  /** A viewer is judged by what it saw within this time. */
  windowMs: 5000,
  /** A gap of this length without a complete video frame is a freeze. */
  freezeMs: 500,
  /** Least share of the stream's own frame rate. */
  leastFrameRateShare: 0.8,
  /** Most packets missing after repair, in percent of those expected. */
  mostLossPercent: 2,
} as const;

const { windowMs, freezeMs, leastFrameRateShare, mostLossPercent } = degradedRule;
/** The rule for people, after `degraded when`. */
export const degradedText = `within the last ${windowMs / 1000} s, it saw no complete frame for ${freezeMs} ms, or less than ${leastFrameRateShare * 100} % of the stream's frame rate, or missed more than ${mostLossPercent} % of the packets after repair`;

export type DegradedCause = 'freeze' | 'frame-rate' | 'loss';

/** What one viewer saw within the window. */
export interface ViewerWindow {
  readonly longestGapMs: number;
  readonly frameRate: number;
  /** The stream's own frame rate; 0 when it is not known, then the rate is not judged. */
  readonly nominalFrameRate: number;
  readonly lossPercent: number;
  /** Time since the first complete frame: rate and loss are judged only over a full window, and waiting for a keyframe is no freeze. */
  readonly connectedForMs: number;
}

/** Why a viewer counts as degraded, or undefined when it watches well. */
export function degradedCause(seen: ViewerWindow): DegradedCause | undefined {
  if (seen.longestGapMs >= degradedRule.freezeMs) return 'freeze';
  if (seen.connectedForMs < degradedRule.windowMs) return undefined;
  if (seen.nominalFrameRate > 0 && seen.frameRate < degradedRule.leastFrameRateShare * seen.nominalFrameRate)
    return 'frame-rate';
  return seen.lossPercent > degradedRule.mostLossPercent ? 'loss' : undefined;
}
