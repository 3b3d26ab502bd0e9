import { CounterRate } from '../../../domain/series/counterRate';
import type { WcsStream } from './restSchemas';

/** What is sent again or missing of a stream, per second. */
export interface StreamRate {
  readonly nacksPerSecond?: number;
  readonly lostPerSecond?: number;
}

const counters = { nacksPerSecond: 'VIDEO_NACK', lostPerSecond: 'VIDEO_LOST' } as const;

/** Rates of each published stream, from the counters of its session. */
export class StreamRates {
  private sessions = new Map<string, Readonly<Record<keyof StreamRate, CounterRate>>>();

  /** Takes a list that was requested now (ms of a monotonic clock); the rates by media session. */
  take(published: readonly WcsStream[], nowMs: number): ReadonlyMap<string, StreamRate> {
    const rates = new Map<string, StreamRate>();
    const listed: typeof this.sessions = new Map();
    for (const { mediaSessionId, metrics } of published) {
      if (mediaSessionId === undefined || !metrics) continue;
      const known = this.sessions.get(mediaSessionId) ?? {
        nacksPerSecond: new CounterRate(),
        lostPerSecond: new CounterRate(),
      };
      listed.set(mediaSessionId, known);
      const read = (name: keyof StreamRate): number | undefined => {
        const count = metrics[counters[name]];
        return count === undefined ? undefined : known[name].read(nowMs, count);
      };
      rates.set(mediaSessionId, { nacksPerSecond: read('nacksPerSecond'), lostPerSecond: read('lostPerSecond') });
    }
    this.sessions = listed;
    return rates;
  }
}
