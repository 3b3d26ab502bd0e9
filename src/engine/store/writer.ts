import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import type { RunEvent, RunSummary, RunView, Still, ViewerRow } from '../../domain/run';
import type { Sample } from '../../domain/series';
import { Database, numberAt } from './database';
import { ownMark } from './lock';
import { removeMeta, writeMeta } from './meta';
import { overviewSql, packWithOverviews } from './overview';
import { applicationId, schemaSql, schemaVersion } from './schema';
import { SummaryFigures } from './summary';
import type { EngineInfo, NewStill, RunWriter } from './types';

/** Time after the end of a minute until it is packed: what an agent replays after a short break of its link still finds it open. */
const packAfterMs = 30_000;
/** Packing, and the row that other processes list meanwhile, cost more than a second's samples: they wait this long. */
const tidyEveryMs = 10_000;

/** Makes the file of a new run and signs it as written by this process. */
export function createRunFile(path: string, view: RunView, engine: EngineInfo): Database {
  const database = new Database(path);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion};`);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
  database.transaction(() => {
    database.exec(schemaSql);
    database.exec(overviewSql);
    writeMeta(database, 'view', view);
    writeMeta(database, 'summary', new SummaryFigures().summary(view, 0));
    writeMeta(database, 'engine', engine);
    writeMeta(database, 'identity', randomUUID());
    writeMeta(database, 'writer', ownMark());
  });
  return database;
}

/** Closes a file so that it alone is the run: everything packed, the log empty, no writer's mark on it. */
export function settleRunFile(database: Database): void {
  database.transaction(() => {
    packWithOverviews(database, Number.MAX_SAFE_INTEGER);
    removeMeta(database, 'writer');
  });
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  removeLog(database);
  database.close();
}

function removeLog(database: Database): void {
  try {
    database.exec('PRAGMA journal_mode = DELETE');
  } catch {
    // Another connection still reads the file. The log is empty now; SQLite removes it when the last one closes.
  }
}

/** Puts a settled file in order, so that of a copy that breaks off much can be read. */
export function compactRunFile(path: string): void {
  const database = new Database(path);
  try {
    removeLog(database);
    // What a file is opened by comes to its beginning, and the minutes into their order.
    database.exec('VACUUM');
  } catch {
    // Another connection still reads the file, or the disk is too full to put it in order.
  } finally {
    database.close();
  }
}

export class RunFileWriter implements RunWriter {
  private readonly waiting: Array<() => void> = [];
  private readonly figures = new SummaryFigures();
  private readonly seriesIds = new Map<string, number>();
  private viewChanged = false;
  private givenName: string | undefined;
  private lastEvent = 0;
  private lastStill = 0;
  private newestMs = 0;
  private tidiedMs = 0;

  /** `onClosed` hears once, when `finish` has closed the file. */
  constructor(
    readonly database: Database,
    private current: RunView,
    private readonly onClosed: () => void,
  ) {}

  get id(): string {
    return this.current.id;
  }

  get view(): RunView {
    return this.current;
  }

  append(samples: readonly Sample[]): void {
    this.assertOpen();
    const good = samples.filter((sample) => Number.isFinite(sample.value));
    for (const sample of good) this.figures.add(sample);
    this.waiting.push(() => {
      for (const sample of good) this.insertSample(sample);
    });
    const bad = samples.find((sample) => !Number.isFinite(sample.value));
    if (bad)
      throw new FullhouseError(
        'bad-sample',
        `${bad.node} sent ${bad.value} as ${bad.series}; only numbers can be kept.`,
      );
  }

  event(event: Omit<RunEvent, 'id'>): RunEvent {
    this.assertOpen();
    this.lastEvent += 1;
    const kept: RunEvent = { ...event, id: this.lastEvent };
    this.waiting.push(() =>
      this.database.run(
        'INSERT INTO event (id, time_ms, value) VALUES (?, ?, ?)',
        kept.id,
        kept.timeMs,
        JSON.stringify(kept),
      ),
    );
    return kept;
  }

  still(still: NewStill): Still {
    this.assertOpen();
    this.lastStill += 1;
    const { timeMs, cause, mime, data } = still;
    const id = this.lastStill;
    this.waiting.push(() =>
      this.database.run(
        'INSERT INTO still (id, time_ms, cause, mime, data) VALUES (?, ?, ?, ?, ?)',
        id,
        timeMs,
        cause,
        mime,
        data,
      ),
    );
    return { id, timeMs, cause, mime, bytes: data.length };
  }

  setView(view: RunView): void {
    this.assertOpen();
    this.current = { ...view, name: this.givenName ?? view.name };
    this.viewChanged = true;
  }

  /** Gives the run a name that later views do not change. */
  rename(name: string): void {
    this.givenName = name;
    this.setView(this.current);
  }

  setViewers(rows: readonly ViewerRow[]): void {
    this.assertOpen();
    this.waiting.push(() => {
      for (const row of rows)
        this.database.run(
          'INSERT OR REPLACE INTO viewer (tester, job, viewer, state, value) VALUES (?, ?, ?, ?, ?)',
          row.tester,
          row.job,
          row.viewer,
          row.state,
          JSON.stringify(row),
        );
    });
  }

  summary(): RunSummary {
    return this.figures.summary(this.current, statSync(this.database.path).size);
  }

  flush(): void {
    this.assertOpen();
    if (this.waiting.length === 0 && !this.viewChanged) return;
    try {
      this.database.transaction(() => {
        for (const write of this.waiting) write();
        if (this.viewChanged) writeMeta(this.database, 'view', this.current);
        if (this.newestMs - this.tidiedMs >= tidyEveryMs) {
          writeMeta(this.database, 'summary', this.summary());
          packWithOverviews(this.database, this.newestMs - packAfterMs);
          this.tidiedMs = this.newestMs;
        }
      });
    } catch (error) {
      // A series that was numbered in the transaction is gone with it.
      this.seriesIds.clear();
      throw new FullhouseError(
        'run-not-written',
        `The run can't be written to ${this.database.path}: ${error instanceof Error ? error.message : String(error)}. ` +
          'Make room on that disk; what was measured is kept in memory until then.',
        { cause: error },
      );
    }
    this.waiting.length = 0;
    this.viewChanged = false;
  }

  finish(view: RunView): void {
    this.setView(view);
    this.flush();
    writeMeta(this.database, 'summary', this.summary());
    settleRunFile(this.database);
    this.onClosed();
  }

  private insertSample(sample: Sample): void {
    const timeMs = Math.round(sample.timeMs);
    this.newestMs = Math.max(this.newestMs, timeMs);
    // Adding 0 makes -0 a plain 0, which is what it means everywhere here.
    this.database.run(
      'INSERT OR REPLACE INTO sample (time_ms, series_id, value) VALUES (?, ?, ?)',
      timeMs,
      this.seriesId(sample),
      sample.value + 0,
    );
  }

  private seriesId({ node, series }: Sample): number {
    const key = `${node}\n${series}`;
    const known = this.seriesIds.get(key);
    if (known !== undefined) return known;
    this.database.run('INSERT OR IGNORE INTO series (node, series) VALUES (?, ?)', node, series);
    const row = this.database.row('SELECT id FROM series WHERE node = ? AND series = ?', node, series);
    if (!row) throw new Error(`The series ${series} of ${node} got no number.`);
    const id = numberAt(row, 0);
    this.seriesIds.set(key, id);
    return id;
  }

  private assertOpen(): void {
    if (!this.database.isOpen)
      throw new FullhouseError('run-closed', `The run ${this.id} has ended; nothing can be added to it.`);
  }
}
