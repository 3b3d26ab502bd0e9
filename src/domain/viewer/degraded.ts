/**
 * The only definition of a degraded viewer. The agent applies it to every viewer each second (`agent/internal`, same
 * figures), the control player to itself.
 */
export const degradedRule = {
  /** A viewer is judged by what it received within this time. */
  windowMs: 5000,
  /** A gap of this length without a complete video frame, without audio for viewers of audio only, is a stall. */
  stallMs: 500,
  /** Minimum share of the stream's own frame rate. */
  minFrameRateShare: 0.8,
  /** Maximum of packets missing after repair, in percent of those expected. */
  maxLossPercent: 2,
} as const;

const { windowMs, stallMs, minFrameRateShare, maxLossPercent } = degradedRule;
/** The rule in words, after `degraded when`. */
export const degradedText = `within the last ${windowMs / 1000} s, it received no complete frame (without video: no audio) for ${stallMs} ms, or less than ${minFrameRateShare * 100} % of the stream's frame rate, or lost more than ${maxLossPercent} % of the packets after repair`;

/** Which part of the rule a viewer breaks. */
export const degradedCauses = ['stall', 'frame-rate', 'loss'] as const;
export type DegradedCause = (typeof degradedCauses)[number];

/** What one viewer received within the window. */
export interface ViewerWindow {
  readonly longestGapMs: number;
  readonly frameRate: number;
  /** The stream's own frame rate; 0 if unknown or without video, then the rate is not judged. */
  readonly nominalFrameRate: number;
  readonly lossPercent: number;
  /**
   * Time since the first complete frame: rate and loss are judged only over a full window, and waiting for a keyframe
   * is no stall.
   */
  readonly connectedForMs: number;
}

/** Why a viewer counts as degraded, or undefined if it does not. */
export function degradedCause(seen: ViewerWindow): DegradedCause | undefined {
  if (seen.longestGapMs >= degradedRule.stallMs) return 'stall';
  if (seen.connectedForMs < degradedRule.windowMs) return undefined;
  if (seen.nominalFrameRate > 0 && seen.frameRate < degradedRule.minFrameRateShare * seen.nominalFrameRate)
    return 'frame-rate';
  return seen.lossPercent > degradedRule.maxLossPercent ? 'loss' : undefined;
}
