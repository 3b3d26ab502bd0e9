import type { OverviewBatch } from '../../contract/schemas';
import type { SeriesId } from '../../domain/series/series';
import { gapSteps, usualStepMs } from '../../domain/series/gap';
import { Column, type SparsePoints } from './column';

/** A range of a run in more detail than the rest. */
export interface Detail {
  readonly fromMs: number;
  /** Infinity: it grows with what is measured now. */
  readonly toMs: number;
  /** 0: every sample is present. */
  readonly stepMs: number;
  /** What was asked for: a source may have nothing finer than `stepMs`. */
  readonly columnMs: number;
  /** Up to when it was read; what a growing one has since then is every sample. */
  readonly readToMs: number;
  /** Requested series; others have no detail. */
  readonly series: ReadonlySet<SeriesId>;
  readonly columns: ReadonlyMap<string, Column>;
}

/** A range, and the time of one of its pixel columns. */
export interface DetailRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly columnMs: number;
}

/** Memory limit of all details; the last one is always kept. */
const maxBytes = 40_000_000;

const bytesOf = ({ columns }: Detail): number =>
  [...columns.values()].reduce((sum, { timesMs, values }) => sum + timesMs.byteLength + values.byteLength, 0);

/** Cached details of one run within a memory limit; the least recently used are dropped first. */
export class Details {
  /** Most recently used last. */
  #details: Detail[] = [];

  add(detail: Detail): void {
    this.#details.push(detail);
    while (this.#details.length > 1 && this.bytes > maxBytes) this.#details.shift();
  }

  get bytes(): number {
    return this.#details.reduce((sum, detail) => sum + bytesOf(detail), 0);
  }

  /** Those that grow. */
  get growing(): readonly Detail[] {
    return this.#details.filter(({ toMs }) => toMs === Infinity);
  }

  /** Whether a range was asked for in this detail; one that has grown for `maxGrownMs` is to be read again. */
  has(series: readonly SeriesId[], range: DetailRange, maxGrownMs: number): boolean {
    return this.#details.some(
      (detail) =>
        detail.fromMs <= range.fromMs &&
        detail.toMs >= range.toMs &&
        detail.columnMs <= range.columnMs &&
        (detail.toMs < Infinity || range.toMs - detail.readToMs <= maxGrownMs) &&
        series.every((each) => detail.series.has(each)),
    );
  }

  clear(): void {
    this.#details = [];
  }

  /** The finest detail that covers a range of all these series. */
  find(series: readonly SeriesId[], fromMs: number, toMs: number): Detail | undefined {
    let finest: Detail | undefined;
    for (const detail of this.#details)
      if (
        detail.fromMs <= fromMs &&
        detail.toMs >= toMs &&
        detail.stepMs <= (finest?.stepMs ?? Infinity) &&
        series.every((each) => detail.series.has(each))
      )
        finest = detail;
    if (finest && finest !== this.#details.at(-1)) {
      const used = finest;
      this.#details = [...this.#details.filter((detail) => detail !== used), used];
    }
    return finest;
  }

  column(node: string, series: SeriesId, fromMs: number, toMs: number): Column | undefined {
    if (this.#details.length === 0) return undefined;
    return this.find([series], fromMs, toMs)?.columns.get(`${node} ${series}`);
  }
}

/** Samples that a growing detail can take, of each series. */
const grownCapacity = 14_400;

/** Builds a detail from the engine's response, part by part. `readToMs`: up to when it was read. */
export function detailOf(
  overviews: readonly OverviewBatch[],
  { fromMs, toMs, columnMs, readToMs }: DetailRange & { readonly readToMs: number },
  series: readonly SeriesId[],
): Detail {
  // Parts may come from files of different steps.
  const stepMs = Math.max(0, ...overviews.map((batch) => batch.stepMs));
  const grows = toMs === Infinity;
  const columns = new Map(
    seriesOf(overviews).map(({ node, series: name, points }) => {
      const column = new Column(points.timesMs.length + (grows ? grownCapacity : 0));
      column.replaceBefore(Infinity, points);
      // With every sample present, missing samples make a gap.
      column.sparseBeforeMs = stepMs === 0 ? -Infinity : grows ? readToMs : Infinity;
      return [`${node} ${name}`, column];
    }),
  );
  return { fromMs, toMs, stepMs, columnMs, readToMs, series: new Set(series), columns };
}

/** The series of an overview from its consecutive parts. */
export function seriesOf(
  overviews: readonly OverviewBatch[],
): { node: string; series: SeriesId; points: SparsePoints }[] {
  const found = new Map<string, { node: string; series: SeriesId; parts: Part[] }>();
  for (const batch of overviews) {
    const breaks = new Set(batch.breaks);
    batch.keys.forEach(({ node, series }, key) => {
      const name = `${node} ${series}`;
      const each = found.get(name) ?? { node, series, parts: [] };
      found.set(name, each);
      each.parts.push({ batch, key, from: batch.ends[key - 1] ?? 0, to: batch.ends[key] ?? 0, breaks });
    });
  }
  return [...found.values()].map(({ node, series, parts }) => ({ node, series, points: pointsOf(parts) }));
}

interface Part {
  readonly batch: OverviewBatch;
  readonly key: number;
  readonly from: number;
  readonly to: number;
  readonly breaks: ReadonlySet<number>;
}

/** Min length of a gap between parts of one response. */
const gapMs = gapSteps * usualStepMs;

function pointsOf(parts: readonly Part[]): SparsePoints {
  const count = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  const timesMs = new Float64Array(count);
  const values = new Float32Array(count);
  const gapEndsMs = new Set<number>();
  let at = 0;
  let lastMs = NaN;
  for (const { batch, key, from, to, breaks } of parts) {
    timesMs.set(batch.timeMs.subarray(from, to), at);
    values.set(batch.value.subarray(from, to), at);
    at += to - from;
    const firstTimeMs = batch.timeMs[from];
    if (firstTimeMs !== undefined && (batch.firstMs[key] ?? NaN) - lastMs > gapMs) gapEndsMs.add(firstTimeMs);
    lastMs = batch.lastMs[key] ?? NaN;
    if (breaks.size > 0)
      for (let place = from; place < to; place += 1) if (breaks.has(place)) gapEndsMs.add(batch.timeMs[place] ?? NaN);
  }
  return { timesMs, values, coarseMs: parts[0]?.batch.stepMs ?? 0, gapEndsMs };
}
