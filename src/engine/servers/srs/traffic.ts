import { CounterRate } from '../../../domain/series/counterRate';
import type { SeriesId } from '../../../domain/series/series';
import type { Summaries } from './responses';

/** SRS sums up the bytes of its connections every few seconds; the interval depends on its version. */
const periodMs = 5000;
/** Sums that have not changed for this long say nothing about the current rate. */
const freshMs = 10_000;

/**
 * Media in and out from SRS's byte counters, by SRS's own clock. It reports every 3 s when it last read the sums; the
 * sums themselves may change less often, so a rate covers the time between their changes.
 */
export class Traffic {
  private readonly sent = new CounterRate({ periodMs });
  private readonly received = new CounterRate({ periodMs });

  values({ now_ms: nowMs, system }: Summaries): Partial<Record<SeriesId, number>> {
    const { srs_sample_time: atMs, srs_send_bytes: sent, srs_recv_bytes: received } = system;
    if (atMs === undefined || sent === undefined || received === undefined) return {};
    const perSecond = {
      originOutMbps: this.sent.read(nowMs ?? atMs, sent, atMs),
      originInMbps: this.received.read(nowMs ?? atMs, received, atMs),
    };
    if (nowMs !== undefined && nowMs - atMs > freshMs) return {};
    return Object.fromEntries(
      Object.entries(perSecond).flatMap(([series, bytes]) =>
        bytes === undefined ? [] : [[series, (bytes * 8) / 1e6]],
      ),
    );
  }
}
