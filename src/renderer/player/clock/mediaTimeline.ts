import type { MediaClock } from '../../../domain/model/mediaClock';
import type { DelaySample } from './delaySamples';

/** A frame or tone burst of a media file or clock page. */
export interface MediaReading {
  /** Number in its clock row: of a media file, or of a clock page. */
  readonly source: number;
  /** When it was played, by `performance.now()`. */
  readonly timeMs: number;
  /** Its time in the file. */
  readonly mediaMs: number;
  readonly uncertaintyMs: number;
}

/** Reports of one mapping differ by the uncertainty of the clocks. */
const sameMs = 100;
/** Due times, and those at which a jump was noted: a publisher sends in steps of some ms. */
const toleranceMs = 50;
const maxClocks = 20;

/** Turns times in a media file into delays from when its publisher sent them. */
export class MediaTimeline {
  /** By `performance.now()`. */
  #clocks: MediaClock[] = [];

  /** Takes a report, all times by `performance.now()`. */
  note(clock: MediaClock): void {
    const last = this.#clocks.at(-1);
    if (last && Math.abs(clock.sinceMs - last.sinceMs) < sameMs) this.#clocks.pop();
    this.#clocks.push(clock);
    if (this.#clocks.length > maxClocks) this.#clocks.shift();
  }

  /** Until when the clock is known. */
  get untilMs(): number | undefined {
    return this.#clocks.at(-1)?.untilMs;
  }

  /** Length of the loop, in which delays are counted. */
  get durationMs(): number | undefined {
    return this.#clocks.at(-1)?.durationMs;
  }

  /**
   * Delay of a reading, less than the loop. Undefined if it was not sent while the clock was known, or if it may have
   * been sent before a jump as well as after it.
   */
  sampleOf({ timeMs, mediaMs, uncertaintyMs }: MediaReading): DelaySample | undefined {
    const fitting = this.#clocks.flatMap((clock) => {
      const slackMs = clock.uncertaintyMs + toleranceMs;
      if (mediaMs > clock.durationMs) return [];
      const sinceSentMs = timeMs - clock.startMs - mediaMs + slackMs;
      const delayMs = (((sinceSentMs % clock.durationMs) + clock.durationMs) % clock.durationMs) - slackMs;
      const sentMs = timeMs - delayMs;
      if (sentMs < clock.sinceMs - slackMs || sentMs > clock.untilMs + slackMs) return [];
      return [{ timeMs, delayMs, uncertaintyMs: uncertaintyMs + clock.uncertaintyMs }];
    });
    return fitting.length === 1 ? fitting[0] : undefined;
  }
}
