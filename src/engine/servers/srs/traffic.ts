import { CounterRate } from '../../../domain/counterRate';
import type { SeriesId } from '../../../domain/series';
import type { Summaries } from './answers';

/** SRS adds the bytes of its connections up once in some seconds, how often depends on its version. */
const periodMs = 5000;
/** An SRS that has not summed up for so long tells nothing of now. */
const freshMs = 10_000;

/**
 * Media in and out from SRS's byte counters, by SRS's own clock. It says when it showed the sums last, every 3 s; the sums themselves
 * may change less often than that, so the time of a rate is that between their changes.
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
