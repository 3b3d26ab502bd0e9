import { clockAgeMs, clockCells, clockRow, decodeClock, type ClockReading } from './clockCode';
import { localPatterns } from '../publish/localPatterns';

/** Delay from drawing a test pattern frame to presenting it, over the last minute. */
export interface GlassToGlass {
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** Half the uncertainty of the presentation time, rounded up. */
  readonly uncertaintyMs: number;
  readonly count: number;
}

export interface GlassSample {
  readonly timeMs: number;
  readonly delayMs: number;
  readonly uncertaintyMs: number;
}

const everyMs = 200;
const windowMs = 60_000;
const minSamples = 10;
/** Without a clock row, reads are rare: each copies a strip of the picture. */
const everyWithoutMs = 2000;
/** No live path is slower; an older frame is a recording. */
const maxDelayMs = 60_000;

/** Value at a percentile (nearest rank); `sorted` is not empty. */
function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** p50 and p95 of the samples within the last minute; undefined until there are enough. */
export function summarise(samples: readonly GlassSample[], nowMs: number): GlassToGlass | undefined {
  const recent = samples.filter((sample) => nowMs - sample.timeMs <= windowMs);
  if (recent.length < minSamples) return undefined;
  const delays = recent.map((sample) => sample.delayMs).sort((a, b) => a - b);
  const uncertainties = recent.map((sample) => sample.uncertaintyMs).sort((a, b) => a - b);
  return {
    p50Ms: percentile(delays, 50),
    p95Ms: percentile(delays, 95),
    uncertaintyMs: Math.max(1, Math.ceil(percentile(uncertainties, 50))),
    count: recent.length,
  };
}

/**
 * Delay of one frame. It is displayed between its hand-over to the compositor and the expected display time. The
 * midpoint is used; half the distance (plus half a ms for rounding of the drawn time) is the uncertainty.
 */
export function sampleOf(
  reading: ClockReading,
  frame: { readonly presentationTime: number; readonly expectedDisplayTime: number },
  timeOriginMs: number,
): GlassSample | undefined {
  const earlyMs = Math.min(frame.presentationTime, frame.expectedDisplayTime);
  const lateMs = Math.max(frame.presentationTime, frame.expectedDisplayTime);
  const middleMs = (earlyMs + lateMs) / 2;
  const delayMs = clockAgeMs(reading, timeOriginMs + middleMs);
  if (delayMs > maxDelayMs) return undefined;
  return { timeMs: middleMs, delayMs, uncertaintyMs: (lateMs - earlyMs) / 2 + 0.5 };
}

/** Reads the clock row of a playing video several times a second, while this window publishes a test pattern. */
export class GlassReader {
  #canvas: CanvasRenderingContext2D | null | undefined;
  #samples: GlassSample[] = [];
  #nextMs = 0;

  /** Call it for each presented frame; most calls return immediately. */
  onFrame(video: HTMLVideoElement, frame: VideoFrameCallbackMetadata): void {
    if (frame.presentationTime < this.#nextMs || localPatterns.size === 0) return;
    const reading = this.#read(video);
    // Only a pattern drawn with this window's clock can be measured.
    const known = reading && localPatterns.has(reading.source) ? reading : undefined;
    const sample = known && sampleOf(known, frame, performance.timeOrigin);
    this.#nextMs = frame.presentationTime + (sample ? everyMs : everyWithoutMs);
    if (!sample) return;
    this.#samples = this.#samples.filter((old) => sample.timeMs - old.timeMs <= windowMs);
    this.#samples.push(sample);
  }

  result(nowMs: number): GlassToGlass | undefined {
    return summarise(this.#samples, nowMs);
  }

  #read(video: HTMLVideoElement): ClockReading | undefined {
    const { videoWidth: width, videoHeight: height } = video;
    const heightPx = 4;
    const widthPx = clockCells * 4;
    this.#canvas ??= Object.assign(document.createElement('canvas'), {
      width: widthPx,
      height: heightPx,
    }).getContext('2d', { willReadFrequently: true });
    if (!this.#canvas || width === 0) return undefined;
    const tall = clockRow.bottom - clockRow.top;
    this.#canvas.drawImage(
      video,
      clockRow.left * width,
      // The middle half of the row: its edges may be blurred by the codec.
      (clockRow.top + tall / 4) * height,
      (clockRow.right - clockRow.left) * width,
      (tall / 2) * height,
      0,
      0,
      widthPx,
      heightPx,
    );
    const { data } = this.#canvas.getImageData(0, 0, widthPx, heightPx);
    return decodeClock(
      Array.from({ length: clockCells }, (_, cell) => {
        // The two middle pixels of the cell, two rows each.
        const at = (x: number, y: number): number => data[4 * (y * widthPx + cell * 4 + x) + 1] ?? 0;
        return (at(1, 1) + at(2, 1) + at(1, 2) + at(2, 2)) / 4;
      }),
    );
  }
}
