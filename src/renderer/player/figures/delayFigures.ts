import { delayJitterMs, withoutRoundTrip } from '../../../domain/delay/formulas';
import { percentile } from '../../../domain/series/percentile';

/** Further figures of the delays of a second. */
export interface SecondDelay {
  /** Mean difference between consecutive delays, ms; undefined with fewer than two. */
  readonly jitterMs?: number;
  /** Median delay less the network round trip, ms; undefined without either. */
  readonly pipelineMs?: number;
}

/**
 * `delaysMs`: of frames, in the order of their display. `rttMs`: the round trip of the connection that carries them, where
 * the publisher is on this machine, so that it contains the way to the server as well as that back.
 */
export function delayFigures(delaysMs: readonly number[], rttMs: number | undefined): SecondDelay {
  const jitterMs = delayJitterMs(delaysMs);
  const medianMs = percentile(
    [...delaysMs].sort((a, b) => a - b),
    50,
  );
  return {
    ...(jitterMs === undefined ? {} : { jitterMs }),
    ...(medianMs === undefined || rttMs === undefined ? {} : { pipelineMs: withoutRoundTrip(medianMs, rttMs) }),
  };
}
