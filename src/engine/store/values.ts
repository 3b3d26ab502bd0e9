import type { SeriesId } from '../../domain/series';
import type { Database } from './database';
import { minutesWithin, readMinute, storedSeries } from './samples';
import type { SeriesValues } from './types';

/** Names that are kept at once, as many as a verdict looks at: of a night of 16 nodes each takes 4 MB. */
const mostNames = 24;

interface Column {
  readonly timeMs: number[];
  readonly value: number[];
}

const none: Column = { timeMs: [], value: [] };

/**
 * Reads series whole. Who asks for one node's asks for the other nodes' next, and most of the work is to unpack the minutes: so a series
 * is read of all nodes at once and kept for a while. Minutes that came since are read when they are asked for.
 */
export class ValuesByName {
  private readonly names = new Map<SeriesId, { count: number; columns: Map<string, Column> }>();

  /** One series of one node, all of it, oldest first. */
  of(database: Database, node: string, series: SeriesId): SeriesValues {
    const known = this.names.get(series);
    this.names.delete(series);
    const marks = database.row('SELECT (SELECT count(*) FROM block), (SELECT count(*) FROM sample)') ?? [];
    const count = Number(marks[0]) + Number(marks[1]);
    const found = known?.count === count ? known : { count, columns: this.shared(readAll(database, series)) };
    this.names.set(series, found);
    for (const name of this.names.keys()) {
      if (this.names.size <= mostNames) break;
      this.names.delete(name);
    }
    return found.columns.get(node) ?? none;
  }

  /** Most series of a node are sampled at the same moments, which are then kept once. */
  private shared(columns: Map<string, Column>): Map<string, Column> {
    const known = [...this.names.values()].map((name) => name.columns);
    return new Map(
      [...columns].map(([node, { timeMs, value }]) => {
        const same = known
          .flatMap((each) => each.get(node) ?? [])
          .find((each) => isSame(each.timeMs, timeMs));
        return [node, { timeMs: same?.timeMs ?? timeMs, value }];
      }),
    );
  }
}

function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((each, i) => each === other[i]);
}

function readAll(database: Database, series: SeriesId): Map<string, Column> {
  const nodes = new Map(
    storedSeries(database)
      .filter((each) => each.series === series)
      .map(({ id, node }) => [id, node]),
  );
  const columns = new Map<string, Column>();
  if (nodes.size === 0) return columns;
  const wanted = new Set(nodes.keys());
  for (const minuteMs of minutesWithin(database, 0, Number.MAX_SAFE_INTEGER))
    for (const { seriesId, timeMs, value } of readMinute(database, minuteMs, wanted)) {
      const node = nodes.get(seriesId) ?? '';
      const column = columns.get(node) ?? { timeMs: [], value: [] };
      columns.set(node, column);
      for (const each of timeMs) column.timeMs.push(each);
      for (const each of value) column.value.push(each);
    }
  return columns;
}
