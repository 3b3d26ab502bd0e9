/**
 * Limits of a run file. Each is far above what the product writes and low enough that a file made to exhaust memory or
 * time is refused with a sentence.
 */

/** Times of runs and samples, Unix ms: from 1970, where a machine without a clock's battery starts, to 2100. */
export const earliestMs = 0;
export const latestMs = Date.UTC(2100, 0, 1);
/** From the start to the end of a run: charts and reports iterate over it in steps. A soak test lasts days. */
export const longestRunMs = 366 * 24 * 3600 * 1000;

/** A block of one minute: 16 nodes with 40 series at 1 Hz are 38,400 samples, 0.4 MB unpacked, 0.15 MB packed. */
export const maxPackedBytes = 16 * 2 ** 20;
export const maxInflatedBytes = 32 * 2 ** 20;
export const maxSamplesOfBlock = 1_000_000;
/** Samples read by one request for entire series, 16 bytes each: 24 series of 16 nodes over a night are 11 million. */
export const maxSamplesRead = 24_000_000;

/** A text of meta: the view of a run with thousands of streams takes a few MB. */
export const maxMetaBytes = 32 * 2 ** 20;
/** An event, a viewer or a note as JSON: some hundred bytes. */
export const maxJsonBytes = 2 ** 20;
/** A name: of a node, a series, a job, a cause. */
export const maxNameBytes = 4096;
/** A still: a frame as PNG takes up to some MB. */
export const maxStillBytes = 32 * 2 ** 20;

/** Rows of the tables of a run file. Minutes: one for each of `longestRunMs`; unpacked samples are a few minutes. */
export const maxRows = {
  meta: 64,
  series: 100_000,
  sample: 5_000_000,
  block: longestRunMs / 60_000 + 2,
  histogram: 1_000_000,
  histogram_block: longestRunMs / 60_000 + 2,
  event: 1_000_000,
  still: 10_000,
  viewer: 1_000_000,
  annotation: 100_000,
  overview: 70_000,
  figures: 1,
} as const;

/** Memory limit of SQLite in this process: its caches take a few MB, the largest row 32. */
export const maxSqliteBytes = 256 * 2 ** 20;
/** Limit of pages that a header may claim, in bytes: SQLite reads past the end of a shorter file as zeros. */
export const maxFileBytes = 64 * 2 ** 30;

/** The earliest possible minute of packed samples. */
export function isMinute(timeMs: number): boolean {
  return isTime(timeMs) && timeMs % 60_000 === 0;
}

export function isTime(timeMs: number): boolean {
  return Number.isSafeInteger(timeMs) && timeMs >= earliestMs && timeMs <= latestMs;
}
