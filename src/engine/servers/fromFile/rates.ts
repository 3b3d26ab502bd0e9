import type { ReportedStream } from '../../../domain/family/streamsIn';
import type { StreamsRule } from '../../../domain/family/familyFile';
import { CounterRate } from '../../../domain/series/counterRate';
import type { SeriesId } from '../../../domain/series/series';

/** Bytes per second of one counter of each stream. */
class StreamRates {
  private rates = new Map<string, CounterRate>();
  private latest = new Map<string, number>();

  take(counters: ReadonlyMap<string, number>, atMs: number): void {
    // A stream that is gone starts anew if it returns.
    this.rates = new Map(
      [...counters.keys()].map((name) => [name, this.rates.get(name) ?? new CounterRate({ isLive: true })]),
    );
    this.latest = new Map(
      [...counters].flatMap(([name, bytes]) => {
        const rate = this.rates.get(name)?.read(atMs, bytes);
        return rate === undefined ? [] : [[name, rate] as const];
      }),
    );
  }

  of(name: string): number | undefined {
    return this.latest.get(name);
  }

  /** Undefined while no stream has a rate, unless there is no stream. */
  mbps(): number | undefined {
    if (this.latest.size === 0 && this.rates.size > 0) return undefined;
    return ([...this.latest.values()].reduce((sum, rate) => sum + rate, 0) * 8) / 1e6;
  }
}

/** The sum of rates as the server reports them; undefined where no stream has one, 0 without streams. */
function mbpsOf(
  streams: readonly ReportedStream[],
  key: 'bitrateKbps' | 'outKbps',
  rule: Pick<StreamsRule, 'bitrateKbps' | 'outKbps'>,
): number | undefined {
  if (rule[key] === undefined) return undefined;
  if (streams.length === 0) return 0;
  const rates = streams.flatMap((stream) => stream[key] ?? []);
  return rates.length === 0 ? undefined : rates.reduce((sum, rate) => sum + rate, 0) / 1000;
}

/** Rates of the counters of streams and of figures. */
export class Rates {
  private readonly incoming = new StreamRates();
  private readonly outgoing = new StreamRates();
  private readonly figures = new Map<string, CounterRate>();

  /** `rule` says which of them the server reports. */
  take(
    streams: readonly ReportedStream[],
    atMs: number,
    rule: Pick<StreamsRule, 'bytesIn' | 'bytesOut' | 'bitrateKbps' | 'outKbps'>,
  ): Partial<Record<SeriesId, number>> {
    const counters = (key: 'bytesIn' | 'bytesOut'): ReadonlyMap<string, number> =>
      new Map(streams.flatMap((stream) => (stream[key] === undefined ? [] : [[stream.name, stream[key]] as const])));
    const [bytesIn, bytesOut] = [counters('bytesIn'), counters('bytesOut')];
    this.incoming.take(bytesIn, atMs);
    this.outgoing.take(bytesOut, atMs);
    const inMbps = rule.bytesIn === undefined ? mbpsOf(streams, 'bitrateKbps', rule) : this.incoming.mbps();
    const outMbps = rule.bytesOut === undefined ? mbpsOf(streams, 'outKbps', rule) : this.outgoing.mbps();
    return {
      ...(inMbps === undefined ? {} : { originInMbps: inMbps }),
      ...(outMbps === undefined ? {} : { originOutMbps: outMbps }),
    };
  }

  /** Of what is published; undefined without a counter. */
  bitrateKbps(name: string): number | undefined {
    const rate = this.incoming.of(name);
    return rate === undefined ? undefined : (rate * 8) / 1000;
  }

  /** The increase per second of a counter. */
  figure(series: string, value: number | undefined, atMs: number, periodMs?: number): number | undefined {
    if (value === undefined) return undefined;
    const rate =
      this.figures.get(series) ??
      new CounterRate(periodMs === undefined ? { isLive: true } : { periodMs, minPeriodMs: periodMs });
    this.figures.set(series, rate);
    return rate.read(atMs, value);
  }
}
