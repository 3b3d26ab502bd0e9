import { delayJitterMs } from '../../../domain/delay/formulas';
import { percentile } from '../../../domain/series/percentile';
import { maxDelaysPerReport } from '../../../domain/viewer/delay';

/** When one frame or tone burst was played, and how long after it was made. */
export interface DelaySample {
  /** By `performance.now()`. */
  readonly timeMs: number;
  readonly delayMs: number;
  /** Half the time within which it was played. */
  readonly uncertaintyMs: number;
}

/** Delays of the last minute. */
export interface DelaySummary {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Mean difference between consecutive delays. */
  readonly jitterMs: number;
  /** Median, in whole ms. */
  readonly uncertaintyMs: number;
  readonly count: number;
}

const windowMs = 60_000;

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** Percentiles of the samples within the last minute, or a shorter time; undefined if fewer than `least`. */
export function summarise(
  samples: readonly DelaySample[],
  nowMs: number,
  least: number,
  withinMs = windowMs,
): DelaySummary | undefined {
  const recent = samples.filter((sample) => nowMs - sample.timeMs <= withinMs);
  if (recent.length < least) return undefined;
  const delays = recent.map((sample) => sample.delayMs);
  const sorted = ascending(delays);
  const uncertainties = ascending(recent.map((sample) => sample.uncertaintyMs));
  const rank = (percent: number): number => percentile(sorted, percent) ?? Number.NaN;
  return {
    p50Ms: rank(50),
    p95Ms: rank(95),
    p99Ms: rank(99),
    jitterMs: delayJitterMs(delays) ?? Number.NaN,
    uncertaintyMs: Math.max(1, Math.ceil(percentile(uncertainties, 50) ?? 0)),
    count: recent.length,
  };
}

/** Keeps the samples of the last minute, and of up to a minute before. */
export class DelaySamples {
  #samples: DelaySample[] = [];
  #untaken: number[] = [];

  /** `least`: number of samples from which percentiles are given. */
  constructor(private readonly least: number) {}

  add(sample: DelaySample): void {
    this.#samples.push(sample);
    // Those of a player without a run are never taken.
    if (this.#untaken.length < maxDelaysPerReport) this.#untaken.push(sample.delayMs);
    // Removed in bulk: filtering at each sample would copy a minute of samples.
    if (sample.timeMs - (this.#samples[0]?.timeMs ?? 0) > 2 * windowMs)
      this.#samples = this.#samples.filter((old) => sample.timeMs - old.timeMs <= windowMs);
  }

  clear(): void {
    this.#samples = [];
    this.#untaken = [];
  }

  /** The delays of the samples since the last call. */
  take(): readonly number[] {
    const taken = this.#untaken;
    this.#untaken = [];
    return taken;
  }

  get latest(): DelaySample | undefined {
    return this.#samples.at(-1);
  }

  /** Summary of the last minute, or a shorter time. */
  summary(nowMs: number, withinMs?: number): DelaySummary | undefined {
    return summarise(this.#samples, nowMs, this.least, withinMs);
  }

  /** The sample of the median delay of those that were played in this time; undefined without any. */
  median(fromMs: number, toMs: number): DelaySample | undefined {
    const within = this.#samples.filter(({ timeMs }) => timeMs >= fromMs && timeMs <= toMs);
    return within.sort((a, b) => a.delayMs - b.delayMs)[Math.ceil(within.length / 2) - 1];
  }
}
