import type { SeriesId } from '../../series/series';
import { usualStepMs } from '../../series/gap';

/** Samples of one series of one node, sorted by time. 12 bytes per sample. */
export class SampleColumn {
  /** Single precision: seven digits, more than any displayed figure. */
  constructor(
    public timesMs = new Float64Array(0),
    public values = new Float32Array(0),
    public length = timesMs.length,
  ) {}

  /**
   * Before this time only the min and max of each step are present, as in an overview; from then on every sample.
   */
  sparseBeforeMs = -Infinity;
  /** Length of those steps. */
  coarseMs = 0;
  /** Gaps of the sparse part: times of the samples that end one. */
  gapEndsMs: ReadonlySet<number> = new Set();

  /** Whether a gap precedes this sample. `gapMs`: min length of a gap where every sample is present. */
  isSilentBefore(index: number, gapMs: number): boolean {
    const timeMs = this.timesMs[index] ?? NaN;
    const beforeMs = this.timesMs[index - 1] ?? NaN;
    if (!(timeMs - beforeMs > gapMs)) return false;
    return beforeMs >= this.sparseBeforeMs || this.gapEndsMs.has(timeMs);
  }

  /** Index of the last sample at or before this time; -1 if none exists. */
  indexAt(timeMs: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.timesMs[middle] ?? 0) <= timeMs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  timeAt(index: number): number {
    return index >= 0 && index < this.length ? (this.timesMs[index] ?? NaN) : NaN;
  }

  valueAt(index: number): number {
    return index >= 0 && index < this.length ? (this.values[index] ?? NaN) : NaN;
  }

  /** Index of the sample closest to this time; -1 if none is within `withinMs`. */
  nearest(timeMs: number, withinMs: number): number {
    const before = this.indexAt(timeMs);
    const beforeBy = before >= 0 ? timeMs - this.timeAt(before) : Infinity;
    const afterBy = before + 1 < this.length ? this.timeAt(before + 1) - timeMs : Infinity;
    if (Math.min(beforeBy, afterBy) > withinMs) return -1;
    return beforeBy <= afterBy ? before : before + 1;
  }
}

/** What charts are drawn from: the samples of the window, or those in a report. */
export interface SampleSource {
  /** Interval between two samples of a series. */
  readonly stepMs: number;
  /** Differs once there are other samples. */
  readonly version: number;
  readonly firstTimeMs: number | undefined;
  readonly lastTimeMs: number | undefined;
  /** Samples of one series of one node; undefined without any. */
  column(node: string, series: SeriesId): SampleColumn | undefined;
  /** The column in the detail that this range has. */
  columnFor(node: string, series: SeriesId, fromMs: number, toMs: number): SampleColumn | undefined;
}

/** The columns of a run that no longer changes. */
export class FixedSamples implements SampleSource {
  readonly version = 0;
  readonly firstTimeMs = -Infinity;
  readonly lastTimeMs = Infinity;

  constructor(
    private readonly find: (node: string, series: SeriesId) => SampleColumn | undefined,
    readonly stepMs = usualStepMs,
  ) {}

  column(node: string, series: SeriesId): SampleColumn | undefined {
    const column = this.find(node, series);
    return column && column.length > 0 ? column : undefined;
  }

  columnFor(node: string, series: SeriesId): SampleColumn | undefined {
    return this.column(node, series);
  }
}

/** A column of exact samples; `breaks` are the indexes of those that end a gap in an overview, of `coarseMs` per step. */
export function fixedColumn(
  timesMs: ArrayLike<number>,
  values: ArrayLike<number>,
  overview?: { readonly breaks: readonly number[]; readonly coarseMs: number },
): SampleColumn {
  const column = new SampleColumn(Float64Array.from(timesMs), Float32Array.from(values));
  if (!overview) return column;
  column.sparseBeforeMs = Infinity;
  column.coarseMs = overview.coarseMs;
  column.gapEndsMs = new Set(overview.breaks.map((place) => timesMs[place] ?? NaN));
  return column;
}
