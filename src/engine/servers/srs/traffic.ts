import type { SeriesId } from '../../../domain/series';
import type { Summaries } from './answers';

/** A rate is repeated for so long at most until SRS sums up its bytes anew. */
const freshMs = 10_000;

interface Reading {
  readonly atMs: number;
  readonly sent: number;
  readonly received: number;
}

/**
 * Media in and out from SRS's byte counters. SRS sums them up every few seconds and says when it did: a rate goes from one
 * such moment to the next, by SRS's clock, and holds until the following one.
 */
export class Traffic {
  private before: Reading | undefined;
  private rate: { readonly outMbps: number; readonly inMbps: number } | undefined;

  values({ now_ms: nowMs, system }: Summaries): Partial<Record<SeriesId, number>> {
    const { srs_sample_time: atMs, srs_send_bytes: sent, srs_recv_bytes: received } = system;
    if (atMs === undefined || sent === undefined || received === undefined) return {};
    const { before } = this;
    if (!before || atMs < before.atMs || sent < before.sent || received < before.received) {
      // The first look, or another process than before: nothing to compare with.
      this.rate = undefined;
      this.before = { atMs, sent, received };
    } else if (atMs > before.atMs) {
      const perMbit = 8 / 1000 / (atMs - before.atMs);
      this.rate = { outMbps: (sent - before.sent) * perMbit, inMbps: (received - before.received) * perMbit };
      this.before = { atMs, sent, received };
    }
    if (!this.rate || (nowMs !== undefined && nowMs - atMs > freshMs)) return {};
    return { originOutMbps: this.rate.outMbps, originInMbps: this.rate.inMbps };
  }
}
