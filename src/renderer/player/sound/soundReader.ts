import { mediaFileSource } from '../../../domain/clock/sources';
import { burstAgeMs, fileBurstMs } from '../../../domain/clock/toneBurst';
import { DelaySamples, type DelaySample } from '../clock/delaySamples';
import type { MediaReading } from '../clock/mediaTimeline';
import { maxDelayMs } from '../../../domain/viewer/delay';
import { localPatterns } from '../publish/localPatterns';
import type { BurstPlayed } from './soundWorker';
import { startWorker } from '../workers';

/** Chromium's, which TypeScript's library lacks. */
declare const MediaStreamTrackProcessor:
  | (new (init: { track: MediaStreamTrack; maxBufferSize: number }) => { readonly readable: ReadableStream<AudioData> })
  | undefined;

/** Blocks of 10 ms that wait for the worker on a busy machine; more are dropped. */
const maxWaiting = 100;
/** From which the delay is given: there is one burst a second. */
const minBursts = 3;

/**
 * Delay of one burst, by the clock that scheduled it. Undefined for a clock that this window does not play, or a delay
 * that is impossible.
 */
export function burstSampleOf(
  { reading, timeMs, uncertaintyMs }: BurstPlayed,
  timeOriginMs: number,
  patterns: { has(source: number): boolean } = localPatterns,
): DelaySample | undefined {
  if (!patterns.has(reading.source)) return undefined;
  const delayMs = burstAgeMs(reading, timeMs);
  if (delayMs > maxDelayMs) return undefined;
  return { timeMs: timeMs - timeOriginMs, delayMs, uncertaintyMs };
}

/** Reads the tone bursts of what is played in a worker, while some are expected. */
export class SoundReader {
  readonly samples = new DelaySamples(minBursts);
  /** Bursts of a media file. */
  readonly fileReadings: MediaReading[] = [];
  #isExpected = false;
  #media: MediaStreamTrack | undefined;
  #copy: MediaStreamTrack | undefined;

  /** The sound of what is played from now on; undefined without any. */
  listen(media: MediaStreamTrack | undefined): void {
    this.close();
    this.#media = media;
    this.#start();
  }

  /** Reads while bursts are expected. */
  expect(isExpected: boolean): void {
    this.#isExpected = isExpected;
    if (!isExpected) this.#stop();
    else if (!this.#copy) this.#start();
  }

  close(): void {
    this.#stop();
    this.#media = undefined;
    this.fileReadings.length = 0;
  }

  #start(): void {
    if (!this.#media || !this.#isExpected || typeof MediaStreamTrackProcessor !== 'function') return;
    // With the copy its stream ends, and with it the worker.
    const track = this.#media.clone();
    const { readable } = new MediaStreamTrackProcessor({ track, maxBufferSize: maxWaiting });
    const worker = startWorker('sound');
    worker.addEventListener('message', ({ data }: MessageEvent<BurstPlayed>) => {
      if (track === this.#copy) this.#take(data);
    });
    worker.postMessage(readable, [readable]);
    this.#copy = track;
  }

  #take(burst: BurstPlayed): void {
    const { timeOrigin } = performance;
    if (burst.reading.source === mediaFileSource)
      this.fileReadings.push({
        source: mediaFileSource,
        timeMs: burst.timeMs - timeOrigin,
        mediaMs: burst.reading.secondLow * 1000 + fileBurstMs,
        uncertaintyMs: burst.uncertaintyMs,
      });
    const sample = burstSampleOf(burst, timeOrigin);
    if (sample) this.samples.add(sample);
  }

  #stop(): void {
    this.#copy?.stop();
    this.#copy = undefined;
  }
}
