import { percentile } from '../../../domain/series/percentile';

/** Further figures of the delays of a second. */
export interface DelayFigures {
  /** Mean difference between consecutive delays, ms; undefined with fewer than two. */
  readonly jitterMs?: number;
  /** Median delay less the network round trip, ms; undefined without either. */
  readonly pipelineMs?: number;
}

/**
 * `delaysMs`: of frames, in the order of their display. `rttMs`: the round trip of the connection that carries them, where
 * the publisher is on this machine, so that it contains the way to the server as well as that back.
 */
export function delayFigures(delaysMs: readonly number[], rttMs: number | undefined): DelayFigures {
  const steps = delaysMs.slice(1).map((delayMs, index) => Math.abs(delayMs - (delaysMs[index] ?? delayMs)));
  const medianMs = percentile(
    [...delaysMs].sort((a, b) => a - b),
    50,
  );
  return {
    ...(steps.length > 0 ? { jitterMs: steps.reduce((sum, step) => sum + step, 0) / steps.length } : {}),
    ...(medianMs === undefined || rttMs === undefined ? {} : { pipelineMs: medianMs - rttMs }),
  };
}
