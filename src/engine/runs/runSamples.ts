import type { Sample, SeriesId } from '../../domain/series/series';
import type { SeriesValues } from '../store';

/** Per series and node: a search of three hours at a sample a second. */
const maxPerSeries = 3 * 3600;

interface Column {
  readonly timeMs: number[];
  readonly value: number[];
}

/**
 * The samples of a run in memory, for rules that are applied while it runs: they must not wait for a disk. The oldest of
 * a series are dropped when there are too many.
 */
export class RunSamples {
  private readonly columns = new Map<string, Column>();

  constructor(private readonly most = maxPerSeries) {}

  add(samples: readonly Sample[]): void {
    for (const { node, series, timeMs, value } of samples) {
      if (!Number.isFinite(value)) continue;
      const key = `${node}\n${series}`;
      const column = this.columns.get(key) ?? { timeMs: [], value: [] };
      this.columns.set(key, column);
      insert(column, Math.round(timeMs), value);
      // In larger steps, since it moves all of them.
      if (column.timeMs.length < this.most * 1.1) continue;
      column.timeMs.splice(0, column.timeMs.length - this.most);
      column.value.splice(0, column.value.length - this.most);
    }
  }

  /** One series of one node, `toMs` excluded, oldest first. */
  values(node: string, series: SeriesId, fromMs: number, toMs: number): SeriesValues {
    const { timeMs, value } = this.columns.get(`${node}\n${series}`) ?? { timeMs: [], value: [] };
    const from = placeOf(timeMs, fromMs);
    const to = placeOf(timeMs, toMs);
    return { timeMs: timeMs.slice(from, to), value: value.slice(from, to) };
  }
}

/** As in a run file: replayed records are in their place, and of the same millisecond the first is kept. */
function insert({ timeMs, value }: Column, atMs: number, sample: number): void {
  const place = placeOf(timeMs, atMs);
  if (timeMs[place] === atMs) return;
  timeMs.splice(place, 0, atMs);
  value.splice(place, 0, sample);
}

/** Index of the first time that is not before `atMs`; almost always the end. */
function placeOf(times: readonly number[], atMs: number): number {
  let low = 0;
  let high = times.length;
  if (high === 0 || (times[high - 1] ?? 0) < atMs) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}
