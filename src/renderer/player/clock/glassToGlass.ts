import type { PlayerProtocol } from '../../../domain/model/playerProtocols';
import { localPatterns } from '../publish/localPatterns';
import { clockAgeMs, type ClockReading } from '../../../domain/clock/clockRow';
import { maxDelayMs } from '../../../domain/viewer/delay';
import { isPageSource, mediaFileSource } from '../../../domain/clock/sources';
import { frameOf } from '../picture/frameOf';
import { endAfterFrames, type FrameOrder } from '../picture/frameWorker';
import type { FrameRead } from './clockWorker';
import { DelaySamples, type DelaySample, type DelaySummary } from './delaySamples';
import type { MediaReading } from './mediaTimeline';
import { startWorker } from '../workers';

export interface ProtocolDelay extends DelaySummary {
  readonly protocol: PlayerProtocol;
}

/** The delays with the latest one of its protocol. */
export function withDelay(delays: readonly ProtocolDelay[], latest: ProtocolDelay): readonly ProtocolDelay[] {
  const isKnown = delays.some(({ protocol }) => protocol === latest.protocol);
  return isKnown ? delays.map((delay) => (delay.protocol === latest.protocol ? latest : delay)) : [...delays, latest];
}

/** From which the delay is given. */
const minFrames = 10;
/** Without a clock row, reads are rare: each copies a strip of the picture. */
const everyWithoutMs = 2000;
/** How long each frame is read after the last one with a clock row. */
const patienceMs = 2000;
/** Frames that wait for the worker; more are skipped, so that a busy machine does not collect frames. */
const maxWaiting = 4;

/** Times of a presented frame, as in `VideoFrameCallbackMetadata`. */
type FrameTimes = Pick<VideoFrameCallbackMetadata, 'presentationTime' | 'expectedDisplayTime'>;

/**
 * A frame is displayed between its hand-over to the compositor and the expected display time. The midpoint is used; half
 * the distance (plus half a ms for rounding of the drawn time) is the uncertainty.
 */
function displayOf(frame: FrameTimes): Pick<DelaySample, 'timeMs' | 'uncertaintyMs'> {
  const earlyMs = Math.min(frame.presentationTime, frame.expectedDisplayTime);
  const lateMs = Math.max(frame.presentationTime, frame.expectedDisplayTime);
  return { timeMs: (earlyMs + lateMs) / 2, uncertaintyMs: (lateMs - earlyMs) / 2 + 0.5 };
}

/** Delay of one frame; undefined for a clock that this window does not draw, or a delay that is impossible. */
export function sampleOf(
  reading: ClockReading,
  frame: FrameTimes,
  timeOriginMs: number,
  patterns: { has(source: number): boolean } = localPatterns,
): DelaySample | undefined {
  if (!patterns.has(reading.source)) return undefined;
  const display = displayOf(frame);
  const delayMs = clockAgeMs(reading, timeOriginMs + display.timeMs);
  return delayMs > maxDelayMs ? undefined : { ...display, delayMs };
}

/** Reads the clock row of each frame of a playing video in a worker, and of videos without one rarely. */
export class GlassReader {
  #worker: Worker | undefined;
  readonly samples = new DelaySamples(minFrames);
  /** Frames of a media file or clock page. */
  readonly fileReadings: MediaReading[] = [];
  /** Sources of such frames whose clock is known, so that each of them is read. */
  followed: ReadonlySet<number> = new Set();
  /** Number in the last clock row whose time is of use. */
  lastSource: number | undefined;
  readonly #waiting = new Map<number, FrameTimes>();
  #frame = 0;
  #nextMs = 0;
  #seenMs = Number.NEGATIVE_INFINITY;

  /** Call it for each presented frame. */
  onFrame(video: HTMLVideoElement, frame: VideoFrameCallbackMetadata): void {
    const nowMs = frame.presentationTime;
    const hasClock = nowMs - this.#seenMs < patienceMs;
    if ((!hasClock && nowMs < this.#nextMs) || this.#waiting.size >= maxWaiting) return;
    this.#nextMs = nowMs + everyWithoutMs;
    const picture = frameOf(video);
    if (!picture) return;
    this.#worker ??= this.#start();
    this.#frame += 1;
    const { presentationTime, expectedDisplayTime } = frame;
    this.#waiting.set(this.#frame, { presentationTime, expectedDisplayTime });
    this.#worker.postMessage({ id: this.#frame, picture } satisfies FrameOrder, [picture]);
  }

  close(): void {
    endAfterFrames(this.#worker);
    this.#worker = undefined;
    this.#waiting.clear();
    this.fileReadings.length = 0;
    this.followed = new Set();
    this.lastSource = undefined;
  }

  #start(): Worker {
    const worker = startWorker('clock');
    worker.addEventListener('message', ({ data }: MessageEvent<FrameRead>) => this.#take(data));
    return worker;
  }

  #take({ id, reading }: FrameRead): void {
    const frame = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (!reading || !frame) return;
    const { source, timeLow } = reading;
    if (source === mediaFileSource || isPageSource(source)) {
      const { timeMs, uncertaintyMs } = displayOf(frame);
      this.lastSource = source;
      this.fileReadings.push({ source, timeMs, uncertaintyMs, mediaMs: timeLow });
      if (this.followed.has(source)) this.#seenMs = timeMs;
      return;
    }
    const sample = sampleOf(reading, frame, performance.timeOrigin);
    if (!sample) return;
    this.lastSource = source;
    this.#seenMs = sample.timeMs;
    this.samples.add(sample);
  }
}
