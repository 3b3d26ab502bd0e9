import type { PlayerProtocol } from '../../../domain/model/playerProtocols';
import { percentile } from '../../../domain/series/percentile';
import { localPatterns, maxDelayMs } from '../publish/localPatterns';
import { clockAgeMs, type ClockReading } from './clockCode';
import type { FrameOrder } from '../picture/frameWorker';
import type { FrameRead } from './clockWorker';

/** Delay from drawing a test pattern frame to presenting it, over the last minute. */
export interface GlassToGlass {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  /** Mean difference between the delays of consecutive frames. */
  readonly jitterMs: number;
  /** Half the uncertainty of the presentation time, rounded up. */
  readonly uncertaintyMs: number;
  readonly count: number;
}

export interface ProtocolDelay extends GlassToGlass {
  readonly protocol: PlayerProtocol;
}

/** The delays with the latest one of its protocol. */
export function withDelay(delays: readonly ProtocolDelay[], latest: ProtocolDelay): readonly ProtocolDelay[] {
  const isKnown = delays.some(({ protocol }) => protocol === latest.protocol);
  return isKnown ? delays.map((each) => (each.protocol === latest.protocol ? latest : each)) : [...delays, latest];
}

export interface GlassSample {
  readonly timeMs: number;
  readonly delayMs: number;
  readonly uncertaintyMs: number;
}

const windowMs = 60_000;
const secondMs = 1000;
const minSamples = 10;
/** Without a clock row, reads are rare: each copies a strip of the picture. */
const everyWithoutMs = 2000;
/** How long each frame is read after the last one with a clock row. */
const patienceMs = 2000;
/** Frames that wait for the worker; more are skipped, so that a busy machine does not collect frames. */
const maxWaiting = 4;

const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

/** Percentiles of the samples within the last minute, or a shorter time; undefined until there are enough. */
export function summarise(
  samples: readonly GlassSample[],
  nowMs: number,
  withinMs: number = windowMs,
): GlassToGlass | undefined {
  const recent = samples.filter((sample) => nowMs - sample.timeMs <= withinMs);
  if (recent.length < minSamples) return undefined;
  const delays = recent.map((sample) => sample.delayMs);
  const sorted = ascending(delays);
  const uncertainties = ascending(recent.map((sample) => sample.uncertaintyMs));
  const rank = (percent: number): number => percentile(sorted, percent) ?? Number.NaN;
  const steps = delays.slice(1).map((delay, index) => Math.abs(delay - (delays[index] ?? delay)));
  return {
    p50Ms: rank(50),
    p95Ms: rank(95),
    p99Ms: rank(99),
    jitterMs: steps.reduce((sum, step) => sum + step, 0) / steps.length,
    uncertaintyMs: Math.max(1, Math.ceil(percentile(uncertainties, 50) ?? 0)),
    count: recent.length,
  };
}

/** Times of a presented frame, as in `VideoFrameCallbackMetadata`. */
type FrameTimes = Pick<VideoFrameCallbackMetadata, 'presentationTime' | 'expectedDisplayTime'>;

/**
 * Delay of one frame. It is displayed between its hand-over to the compositor and the expected display time. The
 * midpoint is used; half the distance (plus half a ms for rounding of the drawn time) is the uncertainty. Undefined for
 * a clock that this window does not draw, or a delay that is impossible.
 */
export function sampleOf(
  reading: ClockReading,
  frame: FrameTimes,
  timeOriginMs: number,
  patterns: { has(source: number): boolean } = localPatterns,
): GlassSample | undefined {
  if (!patterns.has(reading.source)) return undefined;
  const earlyMs = Math.min(frame.presentationTime, frame.expectedDisplayTime);
  const lateMs = Math.max(frame.presentationTime, frame.expectedDisplayTime);
  const middleMs = (earlyMs + lateMs) / 2;
  const delayMs = clockAgeMs(reading, timeOriginMs + middleMs);
  if (delayMs > maxDelayMs) return undefined;
  return { timeMs: middleMs, delayMs, uncertaintyMs: (lateMs - earlyMs) / 2 + 0.5 };
}

/** Reads the clock row of each frame of a playing video in a worker, while this window publishes a test pattern. */
export class GlassReader {
  #worker: Worker | undefined;
  #samples: GlassSample[] = [];
  readonly #waiting = new Map<number, FrameTimes>();
  #frame = 0;
  #nextMs = 0;
  #seenMs = Number.NEGATIVE_INFINITY;

  /** Call it for each presented frame. */
  onFrame(video: HTMLVideoElement, frame: VideoFrameCallbackMetadata): void {
    const nowMs = frame.presentationTime;
    const hasClock = nowMs - this.#seenMs < patienceMs;
    if (localPatterns.size === 0 || (!hasClock && nowMs < this.#nextMs) || this.#waiting.size >= maxWaiting) return;
    this.#nextMs = nowMs + everyWithoutMs;
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    this.#worker ??= this.#start();
    this.#frame += 1;
    const { presentationTime, expectedDisplayTime } = frame;
    this.#waiting.set(this.#frame, { presentationTime, expectedDisplayTime });
    const picture = new VideoFrame(video);
    this.#worker.postMessage({ id: this.#frame, picture } satisfies FrameOrder, [picture]);
  }

  /** Over the last minute, or a shorter time; undefined without enough readings. */
  result(nowMs: number, withinMs?: number): GlassToGlass | undefined {
    return summarise(this.#samples, nowMs, withinMs);
  }

  /** Median delay of the frames of the last second; undefined without any. */
  lastSecondMs(nowMs: number): number | undefined {
    const recent = this.#samples.filter(({ timeMs }) => nowMs - timeMs <= secondMs);
    return percentile(ascending(recent.map(({ delayMs }) => delayMs)), 50);
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#waiting.clear();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./clockWorker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<FrameRead>) => this.#take(data));
    return worker;
  }

  #take({ id, reading }: FrameRead): void {
    const frame = this.#waiting.get(id);
    this.#waiting.delete(id);
    const sample = reading && frame && sampleOf(reading, frame, performance.timeOrigin);
    if (!sample) return;
    this.#seenMs = sample.timeMs;
    this.#samples.push(sample);
    // Removed in bulk: filtering at each frame would copy a minute of samples.
    if (sample.timeMs - (this.#samples[0]?.timeMs ?? 0) > 2 * windowMs)
      this.#samples = this.#samples.filter((old) => sample.timeMs - old.timeMs <= windowMs);
  }
}
