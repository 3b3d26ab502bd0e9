import type { RunEvent, RunSummary, RunView } from '../../domain/model/run';
import { encodeBlock, type BlockColumn } from './block';
import type { Database } from './database';
import { writeMeta } from './meta';
import { keepOverviews } from './overview';
import { removeRunFile } from './rescue';
import { insertRow } from './rows';
import { minuteOf } from './samples';
import { tables } from './tables';
import type { EngineInfo, OverviewColumn } from './types';
import { createRunFile, settleRunFile } from './writer';

type Column = Pick<OverviewColumn, 'node' | 'series' | 'timeMs' | 'value'>;

/**
 * Writes the file of a run whose samples are known: minutes are packed at once. Added one by one as in a run, those of a
 * day would take minutes.
 */
export class PackedRunFile {
  private readonly database: Database;
  private readonly ids = new Map<string, number>();

  constructor(
    private readonly path: string,
    view: RunView,
    engine: EngineInfo,
  ) {
    removeRunFile(path);
    this.database = createRunFile(path, view, engine);
  }

  /** Adds whole minutes, in order of time. */
  add(columns: readonly Column[]): void {
    const minutes = new Map<number, Map<number, BlockColumn>>();
    for (const { node, series, timeMs, value } of columns) {
      const seriesId = this.idOf(node, series);
      timeMs.forEach((at, i) => {
        const minute = minutes.get(minuteOf(at)) ?? new Map<number, BlockColumn>();
        minutes.set(minuteOf(at), minute);
        const column = minute.get(seriesId) ?? { seriesId, timeMs: [], value: [] };
        minute.set(seriesId, column);
        column.timeMs.push(at);
        column.value.push(value[i] ?? 0);
      });
    }
    this.database.transaction(() => {
      for (const [minuteMs, ofMinute] of [...minutes].sort(([a], [b]) => a - b)) {
        const all = [...ofMinute.values()];
        const samples = all.reduce((sum, { timeMs }) => sum + timeMs.length, 0);
        insertRow(this.database, tables.block, [minuteMs, samples, encodeBlock(minuteMs, all)]);
      }
    });
  }

  /** Closes the file, which is then a run that has ended. */
  finish(view: RunView, summary: RunSummary, events: readonly RunEvent[] = []): void {
    const { database } = this;
    database.transaction(() => {
      for (const event of events) insertRow(database, tables.event, [event.id, event.timeMs, JSON.stringify(event)]);
      keepOverviews(database, Number.MAX_SAFE_INTEGER);
      writeMeta(database, 'view', view);
      writeMeta(database, 'summary', summary);
    });
    settleRunFile(database);
  }

  /** Removes the unfinished file. */
  discard(): void {
    this.database.close();
    removeRunFile(this.path);
  }

  private idOf(node: string, series: string): number {
    const key = `${node}\n${series}`;
    const known = this.ids.get(key);
    if (known !== undefined) return known;
    const id = this.ids.size + 1;
    insertRow(this.database, tables.series, [id, node, series]);
    this.ids.set(key, id);
    return id;
  }
}
