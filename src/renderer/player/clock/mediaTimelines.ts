import { mediaFileSource } from '../../../domain/clock/sources';
import type { MediaClock } from '../../../domain/model/mediaClock';
import { isPossibleDelay } from '../../../domain/viewer/delay';
import type { DelaySample } from './delaySamples';
import { MediaTimeline, type MediaReading } from './mediaTimeline';

/** Readings later than what is known of their clock wait for this long. */
const waitMs = 5000;

/** The timelines of the media file and of the clock pages that may be in the picture, by the number in it. */
export class MediaTimelines {
  readonly #bySource = new Map<number, MediaTimeline>();

  /** Takes a report, all times by `performance.now()`. */
  note(source: number, clock: MediaClock): void {
    const timeline = this.#bySource.get(source) ?? new MediaTimeline();
    this.#bySource.set(source, timeline);
    timeline.note(clock);
  }

  /** Length of the loop of the media file, in which its delays are counted. */
  get loopMs(): number | undefined {
    return this.#bySource.get(mediaFileSource)?.durationMs;
  }

  /** Takes from the readings those up to the time until which their clock is known: later ones may belong to the next one. */
  delaysOf(readings: MediaReading[]): DelaySample[] {
    const oldestMs = (readings.at(-1)?.timeMs ?? 0) - waitMs;
    const isEarly = ({ source, timeMs }: MediaReading): boolean =>
      timeMs > this.untilMsOf(source) && timeMs >= oldestMs;
    const known = readings.filter((reading) => !isEarly(reading));
    readings.splice(0, readings.length, ...readings.filter(isEarly));
    return known.flatMap((reading) => this.#sampleOf(reading) ?? []);
  }

  /** Until when the clock of a source is known; without any its readings are of no use at any time. */
  untilMsOf(source: number): number {
    return this.#bySource.get(source)?.untilMs ?? Number.POSITIVE_INFINITY;
  }

  /** Pages wrap in hours and a file may loop in minutes: what is older than any live picture is a recording. */
  #sampleOf(reading: MediaReading): DelaySample | undefined {
    const sample = this.#bySource.get(reading.source)?.sampleOf(reading);
    return sample && isPossibleDelay(sample.delayMs) ? sample : undefined;
  }
}
