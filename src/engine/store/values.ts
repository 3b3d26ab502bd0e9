import { formatCount } from '../../domain/text/numberFormat';
import type { SeriesId } from '../../domain/series/series';
import { FullhouseError } from '../../contract/calls';
import { maxSamplesRead } from './bounds';
import type { Database } from './database';
import { minutesWithin, readMinute, storedSeries } from './samples';
import type { SeriesValues } from './types';

/** Number of names cached at once, as many as a verdict uses: of a night of 16 nodes each takes 4 MB. */
const maxNames = 24;

interface Column {
  readonly timeMs: number[];
  readonly value: number[];
}

const emptyColumn = (): Column => ({ timeMs: [], value: [] });
const none = emptyColumn();

/**
 * Reads entire series. A request for one node is usually followed by requests for the others, and most of the work is
 * to unpack the minutes: so a series is read for all nodes at once and cached for a while. Later minutes are read on
 * request.
 */
export class ValuesByName {
  private readonly names = new Map<SeriesId, { count: number; columns: Map<string, Column> }>();

  /** One series of one node, complete, oldest first. */
  of(database: Database, node: string, series: SeriesId): SeriesValues {
    this.prepare(database, [series]);
    return this.names.get(series)?.columns.get(node) ?? none;
  }

  /** Reads several series in one pass, so that each minute is unpacked once for all of them. */
  prepare(database: Database, series: readonly SeriesId[]): void {
    const marks = database.row('SELECT (SELECT count(*) FROM block), (SELECT count(*) FROM sample)') ?? [];
    const count = Number(marks[0]) + Number(marks[1]);
    const missing = new Set(series.filter((id) => this.names.get(id)?.count !== count));
    const read = missing.size > 0 ? readAll(database, missing) : new Map<SeriesId, Map<string, Column>>();
    for (const id of series) {
      const known = this.names.get(id);
      this.names.delete(id);
      const isKnown = known !== undefined && !missing.has(id);
      const columns = read.get(id) ?? new Map<string, Column>();
      this.names.set(id, isKnown ? known : { count, columns: this.shared(columns) });
    }
    for (const name of this.names.keys()) {
      if (this.names.size <= maxNames) break;
      this.names.delete(name);
    }
  }

  /** Most series of a node share their timestamps, which are then stored once. */
  private shared(columns: Map<string, Column>): Map<string, Column> {
    const known = [...this.names.values()].map((name) => name.columns);
    return new Map(
      [...columns].map(([node, { timeMs, value }]) => {
        const same = known.flatMap((column) => column.get(node) ?? []).find((each) => isSame(each.timeMs, timeMs));
        return [node, { timeMs: same?.timeMs ?? timeMs, value }];
      }),
    );
  }
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((value, i) => value === other[i]);
}

function readAll(database: Database, series: ReadonlySet<SeriesId>): ReadonlyMap<SeriesId, Map<string, Column>> {
  const entries = new Map(
    storedSeries(database)
      .filter((entry) => series.has(entry.series))
      .map((entry) => [entry.id, { ...entry, column: emptyColumn() }]),
  );
  const found = new Map<SeriesId, Map<string, Column>>();
  if (entries.size === 0) return found;
  const ids = new Set(entries.keys());
  let count = 0;
  for (const minuteMs of minutesWithin(database, 0, Number.MAX_SAFE_INTEGER))
    for (const { seriesId, timeMs, value } of readMinute(database, minuteMs, ids)) {
      const column = entries.get(seriesId)?.column;
      count += timeMs.length;
      if (count > maxSamplesRead)
        throw new FullhouseError(
          'too-many-samples',
          `The run has more than ${formatCount(maxSamplesRead)} samples of these series; select a shorter range.`,
        );
      for (const ms of timeMs) column?.timeMs.push(ms);
      for (const reading of value) column?.value.push(reading);
    }
  for (const { node, series: name, column } of entries.values()) {
    if (column.timeMs.length === 0) continue;
    const columns = found.get(name) ?? new Map<string, Column>();
    found.set(name, columns.set(node, column));
  }
  return found;
}
