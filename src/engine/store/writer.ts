import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import type { RunEvent, RunSummary, RunView, Still } from '../../domain/model/run';
import type { ViewerRow } from '../../contract/viewerSchemas';
import type { Sample } from '../../domain/series/series';
import { Database, numberAt } from './database';
import { reasonOf } from './failure';
import { FlushWatch } from './flushWatch';
import { ownMark } from '../base/lock';
import { removeMeta, writeMeta } from './meta';
import { checkedSamples, keptEvent, keptStill, requireStillSpace } from './checkedRecords';
import { settleManifest } from './manifest';
import { openRunFile } from './openRunFile';
import { packWithOverviews } from './overview';
import { PendingSamples } from './pending';
import { copyTo, fileMark, recoveryFailed, removeRunFile } from './rescue';
import { ensureTable, insertRow } from './rows';
import { createTables } from './schema';
import { tables } from './tables';
import { SummaryFigures } from './summary';
import { insertHistograms } from './histograms';
import type { EngineInfo, NewStill, RunWriter, SavedHistogram } from './types';

/**
 * Time after the end of a minute until it is packed: what an agent replays after a short loss of its link can still be
 * added.
 */
const packAfterMs = 30_000;
/** Interval of packing and of the row for other processes, which cost more than a second's samples. */
const tidyEveryMs = 10_000;
/** Samples per transaction: a disk that refuses them costs no more than this each time. */
const maxAtOnce = 20_000;

const whileWritten = 'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;';

export interface WriterOptions {
  /** Called once, when `finish` has closed the file. */
  readonly onClosed: () => void;
  /** Called with the new path when the file had to move to another folder. */
  readonly onMoved: (path: string) => void;
  /** Receives a sentence about what can't be written; each once. */
  readonly tell: (sentence: string) => void;
  readonly rescueFolders: ReadonlyArray<() => string>;
}

/** Creates the file of a new run, marked as written by this process; `owner`: the one that has it write. */
export function createRunFile(path: string, view: RunView, engine: EngineInfo, owner?: number): Database {
  const database = new Database(path);
  // In the file itself rather than its log, so that other programs recognise it by its header.
  database.transaction(() => createTables(database));
  database.exec(whileWritten);
  database.transaction(() => {
    ensureTable(database, tables.overview);
    writeMeta(database, 'manifest', { isSettled: false, tables: {} });
    writeMeta(database, 'view', view);
    writeMeta(database, 'summary', new SummaryFigures().summary(view, 0));
    writeMeta(database, 'engine', engine);
    writeMeta(database, 'identity', randomUUID());
    writeMeta(database, 'writer', ownMark(owner));
  });
  return database;
}

/** Continues the file of a run whose writing process ended, marked as written by this one. */
export function resumeRunFile(database: Database, owner?: number): void {
  database.exec(whileWritten);
  database.transaction(() => writeMeta(database, 'writer', ownMark(owner)));
}

/** Closes a file so that it alone is the run: everything packed, the log empty, no writer's mark on it. */
export function settleRunFile(database: Database): void {
  database.transaction(() => {
    packWithOverviews(database, Number.MAX_SAFE_INTEGER);
    removeMeta(database, 'writer');
    settleManifest(database);
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

/** Compacts a settled file, so that much of a truncated copy can be read. */
export function compactRunFile(path: string): void {
  const database = openRunFile(path, basename(path));
  try {
    removeLog(database);
    // What is needed to open a file moves to its start, and the minutes into their order.
    database.exec('VACUUM');
  } catch {
    // Another connection still reads the file, or the disk is too full to compact it.
  } finally {
    database.close();
  }
}

export class RunFileWriter implements RunWriter {
  private readonly samples = new PendingSamples();
  private readonly waiting: Array<() => void> = [];
  private stillBytes = 0;
  private readonly seriesIds = new Map<string, number>();
  private viewChanged = false;
  private givenName: string | undefined;
  private lastEvent = 0;
  private lastStill = 0;
  private newestMs = 0;
  private tidiedMs = 0;
  private mark: string;
  private readonly watch: FlushWatch;

  constructor(
    /** The database of the current file; see `rescue`. */
    public database: Database,
    private current: RunView,
    private readonly options: WriterOptions,
    /** Those of samples that the file has already. */
    private readonly figures = new SummaryFigures(),
  ) {
    this.mark = fileMark(database.path);
    this.watch = new FlushWatch(this, options.tell);
  }

  get isLost(): boolean {
    return fileMark(this.database.path) !== this.mark;
  }

  /** Whether the file has all that was added. */
  get isSaved(): boolean {
    return this.waiting.length === 0 && this.samples.count === 0 && !this.viewChanged;
  }

  get thinned(): number {
    return this.samples.thinned;
  }

  get id(): string {
    return this.current.id;
  }

  get view(): RunView {
    return this.current;
  }

  append(samples: readonly Sample[]): void {
    this.assertOpen();
    const { good, bad } = checkedSamples(samples);
    // Watched data has no row in the list of runs.
    if (!this.current.watched) for (const sample of good) this.figures.add(sample);
    this.samples.add(good);
    if (bad !== undefined) throw new FullhouseError('bad-sample', bad);
  }

  histograms(rows: readonly SavedHistogram[], isRepeat = false): void {
    this.assertOpen();
    if (rows.length === 0) return;
    for (const { timeMs } of rows) this.newestMs = Math.max(this.newestMs, timeMs);
    this.waiting.push(() => insertHistograms(this.database, rows, isRepeat));
  }

  event(event: Omit<RunEvent, 'id'>, id = this.lastEvent + 1): RunEvent {
    this.assertOpen();
    this.lastEvent = id;
    const savedEvent = keptEvent(event, id);
    const row = [id, savedEvent.timeMs, JSON.stringify(savedEvent)];
    this.waiting.push(() => insertRow(this.database, tables.event, row, 'INSERT OR IGNORE'));
    return savedEvent;
  }

  still(still: NewStill, id = this.lastStill + 1): Still {
    this.assertOpen();
    const savedStill = keptStill(still, id);
    const { timeMs, cause, mime } = savedStill;
    requireStillSpace(this.stillBytes + savedStill.bytes);
    this.stillBytes += savedStill.bytes;
    this.lastStill = id;
    const row = [id, timeMs, cause, mime, still.data];
    this.waiting.push(() => insertRow(this.database, tables.still, row, 'INSERT OR IGNORE'));
    return savedStill;
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
        insertRow(
          this.database,
          tables.viewer,
          [row.tester, row.job, row.viewer, row.state, JSON.stringify(row)],
          'INSERT OR REPLACE',
        );
    });
  }

  summary(): RunSummary {
    // A file that was removed has no size.
    const bytes = this.isLost ? 0 : statSync(this.database.path).size;
    return this.figures.summary(this.current, bytes);
  }

  flush(): void {
    this.assertOpen();
    if (this.isSaved) return;
    if (this.isLost) throw this.notWritten('the file or its folder was removed');
    do this.commit();
    while (this.samples.count > 0);
  }

  private commit(): void {
    const piece = this.samples.first(maxAtOnce);
    try {
      this.database.transaction(() => {
        for (const sample of piece) this.insertSample(sample);
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
      throw this.notWritten(reasonOf(error), error);
    }
    this.samples.drop(piece.length);
    this.waiting.length = 0;
    this.stillBytes = 0;
    this.viewChanged = false;
  }

  /** Flushes, and continues elsewhere when the disk refuses for long. Never throws: a problem is reported, once. */
  keepUp(): void {
    this.watch.tick();
  }

  secure(): void {
    this.watch.secure(() => this.flush());
  }

  finish(view: RunView): void {
    this.setView(view);
    this.watch.secure(() => this.settle());
    if (this.database.isOpen) throw this.notWritten('no disk can be written');
  }

  /**
   * Copies the file to the first folder that accepts it, adds pending data, and continues there; returns the new path.
   * The old file is removed where possible. Throws a sentence when no folder accepts it.
   */
  rescue(): string {
    const problems: unknown[] = [];
    for (const open of this.options.rescueFolders)
      try {
        this.moveTo(copyTo(this.database, open));
        this.flush();
        return this.database.path;
      } catch (error) {
        problems.push(error);
      }
    throw recoveryFailed(problems);
  }

  private moveTo(copy: Database): void {
    const { database: left, isLost } = this;
    this.database = copy;
    this.mark = fileMark(copy.path);
    this.seriesIds.clear();
    left.close();
    if (!isLost) removeRunFile(left.path);
    this.options.onMoved(copy.path);
  }

  private settle(): void {
    this.flush();
    if (this.isLost) throw this.notWritten('the file or its folder was removed');
    writeMeta(this.database, 'summary', this.summary());
    settleRunFile(this.database);
    this.options.onClosed();
  }

  private notWritten(reason: string, cause?: unknown): FullhouseError {
    return new FullhouseError('run-not-written', `The run can't be written to ${this.database.path}: ${reason}.`, {
      cause,
    });
  }

  private insertSample(sample: Sample): void {
    const timeMs = Math.round(sample.timeMs);
    this.newestMs = Math.max(this.newestMs, timeMs);
    // Adding 0 turns -0 into 0, which has the same meaning everywhere here.
    insertRow(this.database, tables.sample, [timeMs, this.seriesId(sample), sample.value + 0], 'INSERT OR IGNORE');
  }

  private seriesId({ node, series }: Sample): number {
    const key = `${node}\n${series}`;
    const known = this.seriesIds.get(key);
    if (known !== undefined) return known;
    const row = this.database.row('SELECT id FROM series WHERE node = ? AND series = ?', node, series);
    const newest = row ?? this.database.row('SELECT coalesce(max(id), 0) + 1 FROM series');
    const id = numberAt(newest ?? [1], 0);
    if (!row) insertRow(this.database, tables.series, [id, node, series]);
    this.seriesIds.set(key, id);
    return id;
  }

  private assertOpen(): void {
    if (!this.database.isOpen)
      throw new FullhouseError('run-closed', `The run ${this.id} has ended; nothing can be added to it.`);
  }
}
