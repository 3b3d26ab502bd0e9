import { percentile } from '../../../domain/series/percentile';

/** Time over which the blocks' times are averaged: about that of a burst on both sides of its start. */
const spanMs = 600;
/** A larger step between two blocks is an interruption of the track; jitter of the device is less. */
const maxStepMs = 100;

interface Block {
  readonly timeMs: number;
  /** Time of the block less that of its first sample by the count of samples. */
  readonly gapMs: number;
}

export interface PlayoutTime {
  /** By the clock of the arrivals. */
  readonly timeMs: number;
  readonly uncertaintyMs: number;
}

/**
 * When samples are played: the blocks of a track are handed over when the output device requests them, with a timestamp
 * by a clock of unknown origin. An arrival may be late but never early, so the lowest difference between arrivals and
 * timestamps is that of the clocks. The device requests blocks with jitter, or several at once, and plays their samples
 * evenly: the middle of the blocks' times is used, and half their distance is the uncertainty. The latency of the device
 * itself is unknown.
 */
export class PlayoutClock {
  #blocks: Block[] = [];
  #offsetMs = Number.POSITIVE_INFINITY;

  constructor(private readonly sampleRateHz: number) {}

  /** A block of samples that begins with this number. Returns how late it arrived, ms. */
  note(firstSample: number, timestampMs: number, arrivalMs: number): number {
    this.#offsetMs = Math.min(this.#offsetMs, arrivalMs - timestampMs);
    const gapMs = timestampMs - this.#ms(firstSample);
    const last = this.#blocks.at(-1);
    if (last && Math.abs(gapMs - last.gapMs) > maxStepMs) this.#blocks = [];
    this.#blocks.push({ timeMs: timestampMs, gapMs });
    const oldest = this.#blocks.findIndex(({ timeMs }) => timestampMs - timeMs <= spanMs);
    if (oldest > 0) this.#blocks.splice(0, oldest);
    return arrivalMs - timestampMs - this.#offsetMs;
  }

  /** When this sample, of the last blocks, is played. */
  timeOf(sample: number): PlayoutTime {
    const gaps = this.#blocks.map(({ gapMs }) => gapMs).sort((a, b) => a - b);
    const [early, late] = [percentile(gaps, 10) ?? Number.NaN, percentile(gaps, 90) ?? Number.NaN];
    return { timeMs: this.#ms(sample) + (early + late) / 2 + this.#offsetMs, uncertaintyMs: (late - early) / 2 };
  }

  #ms(sample: number): number {
    return (sample * 1000) / this.sampleRateHz;
  }
}
