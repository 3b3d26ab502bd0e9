import { SoundReader } from '../sound/soundReader';
import type { DelaySamples, DelaySummary } from './delaySamples';
import { GlassReader } from './glassToGlass';

/** Delays of the last second, by the clocks in picture and sound. */
export interface SecondDelays {
  readonly delayMs?: number | undefined;
  readonly audioDelayMs?: number | undefined;
  /** Positive if the audio is ahead of the video. */
  readonly avOffset?: { readonly ms: number; readonly uncertaintyMs: number } | undefined;
  /** The sound has such a clock: other methods are then not used, even in a second without a reading. */
  readonly hasSoundClock: boolean;
}

/** Over the last minute; undefined without enough readings. */
export interface MeasuredDelays {
  readonly picture?: DelaySummary | undefined;
  readonly sound?: DelaySummary | undefined;
}

const secondMs = 1000;
/** A burst is read a quarter of a second after its start, and once a second: longer than both together. */
const burstAgeMs = 1500;
/** How long a sound counts as one with bursts after the last one. */
const patienceMs = 10_000;
/** Frames are compared with a burst that were presented this long before or after its start. */
const nearMs = 250;

/** The delays of the second up to `nowMs`, of the frames and bursts that were played. */
export function secondDelays(picture: DelaySamples, sound: DelaySamples, nowMs: number): SecondDelays {
  const burst = sound.latest;
  const ageMs = burst ? nowMs - burst.timeMs : Number.POSITIVE_INFINITY;
  const delayMs = picture.median(nowMs - secondMs, nowMs)?.delayMs;
  if (!burst || ageMs > burstAgeMs) return { delayMs, hasSoundClock: ageMs <= patienceMs };
  const frame = picture.median(burst.timeMs - nearMs, burst.timeMs + nearMs);
  const avOffset = frame && {
    ms: frame.delayMs - burst.delayMs,
    uncertaintyMs: frame.uncertaintyMs + burst.uncertaintyMs,
  };
  return { delayMs, audioDelayMs: burst.delayMs, avOffset, hasSoundClock: true };
}

/** Measures the delay of picture and sound of a test pattern. */
export class DelayReader {
  readonly #picture = new GlassReader();
  readonly #sound = new SoundReader();

  /** Call it for each presented frame. */
  onFrame(video: HTMLVideoElement, frame: VideoFrameCallbackMetadata): void {
    this.#picture.onFrame(video, frame);
  }

  /** Takes the sound of what is played. */
  listen(media: MediaStream): void {
    this.#sound.listen(media.getAudioTracks()[0]);
  }

  /** Call it once a second. */
  second(nowMs: number): SecondDelays {
    this.#sound.tick();
    return secondDelays(this.#picture.samples, this.#sound.samples, nowMs);
  }

  lastMinute(nowMs: number): MeasuredDelays {
    return { picture: this.#picture.samples.summary(nowMs), sound: this.#sound.samples.summary(nowMs) };
  }

  /** Forgets what was measured. */
  forget(): void {
    this.#picture.samples.clear();
    this.#sound.samples.clear();
  }

  /** Stops measuring what is played, and forgets it. */
  close(): void {
    this.#picture.close();
    this.#sound.close();
    this.forget();
  }
}
