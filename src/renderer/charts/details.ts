import type { OverviewBatch } from '../../contract/schemas';
import type { SeriesId } from '../../domain/series';
import { Column, type SparsePoints } from './column';

/** A stretch of a run in more detail than the rest of it. */
export interface Detail {
  readonly fromMs: number;
  readonly toMs: number;
  /** 0: every sample is here. */
  readonly stepMs: number;
  /** What was asked for; a series that is not in here is in no detail. */
  readonly series: ReadonlySet<SeriesId>;
  readonly columns: ReadonlyMap<string, Column>;
}

/** Memory that details may take together; the last one stays whatever it takes. */
const mostBytes = 40_000_000;

const bytesOf = ({ columns }: Detail): number =>
  [...columns.values()].reduce((sum, { timesMs, values }) => sum + timesMs.byteLength + values.byteLength, 0);

/** The details of one run that are kept, within a bound of memory: those go first that were not looked at for the longest time. */
export class Details {
  /** The one used last at the end. */
  #kept: Detail[] = [];

  add(detail: Detail): void {
    this.#kept.push(detail);
    while (this.#kept.length > 1 && this.bytes > mostBytes) this.#kept.shift();
  }

  get bytes(): number {
    return this.#kept.reduce((sum, detail) => sum + bytesOf(detail), 0);
  }

  clear(): void {
    this.#kept = [];
  }

  /** The finest detail that has a whole stretch of all these series. */
  find(series: readonly SeriesId[], fromMs: number, toMs: number): Detail | undefined {
    let finest: Detail | undefined;
    for (const detail of this.#kept)
      if (
        detail.fromMs <= fromMs &&
        detail.toMs >= toMs &&
        detail.stepMs <= (finest?.stepMs ?? Infinity) &&
        series.every((each) => detail.series.has(each))
      )
        finest = detail;
    if (finest && finest !== this.#kept.at(-1)) {
      const used = finest;
      this.#kept = [...this.#kept.filter((each) => each !== used), used];
    }
    return finest;
  }

  column(node: string, series: SeriesId, fromMs: number, toMs: number): Column | undefined {
    if (this.#kept.length === 0) return undefined;
    return this.find([series], fromMs, toMs)?.columns.get(`${node} ${series}`);
  }
}

/** Makes a detail of what the engine answered, part by part. */
export function detailOf(
  overviews: readonly OverviewBatch[],
  fromMs: number,
  toMs: number,
  series: readonly SeriesId[],
): Detail {
  const stepMs = overviews[0]?.stepMs ?? 0;
  const columns = new Map(
    seriesOf(overviews).map(({ node, series: name, points }) => {
      const column = new Column(points.timesMs.length);
      // Where every sample is here it is silence that makes a gap.
      column.replaceBefore(stepMs === 0 ? -Infinity : Infinity, points);
      return [`${node} ${name}`, column];
    }),
  );
  return { fromMs, toMs, stepMs, series: new Set(series), columns };
}

/** The series of an overview, whose parts follow each other. */
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

/** A silence between the parts of one answer is one of at least this many steps of the usual second. */
const gapMs = 2500;

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
      for (let place = from; place < to; place += 1)
        if (breaks.has(place)) gapEndsMs.add(batch.timeMs[place] ?? NaN);
  }
  return { timesMs, values, coarseMs: parts[0]?.batch.stepMs ?? 0, gapEndsMs };
}
