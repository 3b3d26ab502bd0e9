import { burstAgeMs } from '../../../domain/clock/toneBurst';
import { DelaySamples, type DelaySample } from '../clock/delaySamples';
import { maxDelayMs } from '../clock/glassToGlass';
import { localPatterns } from '../publish/localPatterns';
import type { BurstPlayed } from './soundWorker';

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
  patterns: ReadonlySet<number> = localPatterns,
): DelaySample | undefined {
  if (!patterns.has(reading.source)) return undefined;
  const delayMs = burstAgeMs(reading, timeMs);
  if (delayMs > maxDelayMs) return undefined;
  return { timeMs: timeMs - timeOriginMs, delayMs, uncertaintyMs };
}

/** Reads the tone bursts of what is played in a worker, while this window publishes a test pattern. */
export class SoundReader {
  readonly samples = new DelaySamples(minBursts);
  #media: MediaStreamTrack | undefined;
  #copy: MediaStreamTrack | undefined;

  /** The sound of what is played from now on; undefined without any. */
  listen(media: MediaStreamTrack | undefined): void {
    this.close();
    this.#media = media;
    this.#start();
  }

  /** Begins to read, or ends, with the test patterns of this window. */
  tick(): void {
    if (localPatterns.size === 0) this.#stop();
    else if (!this.#copy) this.#start();
  }

  close(): void {
    this.#stop();
    this.#media = undefined;
  }

  #start(): void {
    if (!this.#media || localPatterns.size === 0 || typeof MediaStreamTrackProcessor !== 'function') return;
    // With the copy its stream ends, and with it the worker.
    const track = this.#media.clone();
    const { readable } = new MediaStreamTrackProcessor({ track, maxBufferSize: maxWaiting });
    const worker = new Worker(new URL('./soundWorker.ts', import.meta.url), { type: 'module' });
    worker.addEventListener('message', ({ data }: MessageEvent<BurstPlayed>) => {
      const sample = track === this.#copy && burstSampleOf(data, performance.timeOrigin);
      if (sample) this.samples.add(sample);
    });
    worker.postMessage(readable, [readable]);
    this.#copy = track;
  }

  #stop(): void {
    this.#copy?.stop();
    this.#copy = undefined;
  }
}
