import type { CallOutput } from '../../../contract/engine';
import type { MediaClock } from '../../../domain/model/mediaClock';
import { ClockOffset, type ClockEstimate } from '../../../domain/clock/clockOffset';
import { mediaFileSource } from '../../../domain/clock/sources';
import { errorText } from '../../../domain/text/errorText';
import { localPatterns } from '../publish/localPatterns';
import { SoundReader } from '../sound/soundReader';
import type { DelaySamples, DelaySummary } from './delaySamples';
import { GlassReader } from './glassToGlass';
import { MediaTimelines } from './mediaTimelines';

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
  /** Length of the loop of a media file: its delays count from when it was sent and are less than the loop. */
  readonly loopMs?: number | undefined;
  readonly picture?: DelaySummary | undefined;
  readonly sound?: DelaySummary | undefined;
}

const secondMs = 1000;
/** The engine's clock has whole ms. */
const roundingMs = 0.5;
/** A burst is read a quarter of a second after its start, and once a second: longer than both together. */
const burstAgeMs = 1500;
/** How long a sound counts as one with bursts after the last one. */
const patienceMs = 10_000;
/** Without a report of the publisher for this long, its clock is unknown. */
const staleMs = 5000;
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

/** The engine's answer about the publisher of what is played. */
export type AskMediaClock = () => Promise<CallOutput<'player.mediaClock'> | undefined>;

/**
 * Measures the delay of picture and sound of a test pattern, of a media file that an agent publishes, or of a clock page
 * before any encoder.
 */
export class DelayReader {
  readonly #picture = new GlassReader();
  readonly #sound = new SoundReader();
  #timelines = new MediaTimelines();
  /** Of the engine's clock to `performance.now()`. */
  readonly #engineClock = new ClockOffset(roundingMs);
  #isAsking = false;

  constructor(private readonly ask: AskMediaClock) {}

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
    this.#sound.expect(localPatterns.size > 0 || this.#picture.followed.has(mediaFileSource));
    if (this.#picture.fileReadings.length > 0) void this.#askClock();
    const followed = this.#followed;
    const untilMs = followed === undefined ? nowMs : this.#timelines.untilMsOf(followed);
    return secondDelays(this.#picture.samples, this.#sound.samples, nowMs - untilMs < staleMs ? untilMs : nowMs);
  }

  /** The delays of the frames that were read since the last call; call it after `second`. */
  takePicture(): readonly number[] {
    return this.#picture.samples.take();
  }

  /** Whether the clock is that of a media file or a clock page, whose publisher may be on another machine. */
  get isForeign(): boolean {
    return this.#followed !== undefined;
  }

  /** The source of the last reading, if its clock is known; undefined for a pattern of this window. */
  get #followed(): number | undefined {
    const { lastSource, followed } = this.#picture;
    return lastSource !== undefined && followed.has(lastSource) ? lastSource : undefined;
  }

  lastMinute(nowMs: number): MeasuredDelays {
    return {
      picture: this.#picture.samples.summary(nowMs),
      sound: this.#sound.samples.summary(nowMs),
      loopMs: this.#followed === mediaFileSource ? this.#timelines.loopMs : undefined,
    };
  }

  /** Delay of the picture since a time of `performance.now()` up to a minute ago; undefined without enough frames. */
  pictureSince(startMs: number, nowMs: number): DelaySummary | undefined {
    return this.#picture.samples.summary(nowMs, nowMs - startMs);
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
    this.#timelines = new MediaTimelines();
    this.forget();
  }

  /** Asks for the clocks of media file and clock pages, and computes the delays up to their times. */
  async #askClock(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    const timelines = this.#timelines;
    const sentMs = performance.now();
    try {
      const { nowMs, clock, pages = [] } = (await this.ask()) ?? {};
      const receivedMs = performance.now();
      // Something else is played now.
      if (timelines !== this.#timelines) return;
      const clocks = clock ? [...pages, { source: mediaFileSource, clock }] : pages;
      if (nowMs !== undefined) this.#engineClock.note({ sentMs, receivedMs, otherMs: nowMs });
      const engineTime = this.#engineClock.at(receivedMs);
      if (engineTime) for (const each of clocks) timelines.note(each.source, inWindowTime(each.clock, engineTime));
      this.#picture.followed = new Set(clocks.map(({ source }) => source));
      for (const { fileReadings, samples } of [this.#picture, this.#sound])
        for (const sample of timelines.delaysOf(fileReadings)) samples.add(sample);
    } catch (error) {
      console.warn(`The clock of the publisher is unknown: ${errorText(error)}`);
    } finally {
      this.#isAsking = false;
    }
  }
}

/** Times of the engine as those of this window. A slow answer does not shift them: that of the shortest round trip counts. */
function inWindowTime(clock: MediaClock, { offsetMs, uncertaintyMs }: ClockEstimate): MediaClock {
  return {
    ...clock,
    startMs: clock.startMs - offsetMs,
    sinceMs: clock.sinceMs - offsetMs,
    untilMs: clock.untilMs - offsetMs,
    uncertaintyMs: clock.uncertaintyMs + uncertaintyMs,
  };
}
