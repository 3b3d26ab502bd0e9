import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { runId } from '../../domain/model/schema';
import type { RunId, RunSummary, RunView } from '../../domain/model/run';
import type { Database } from './database';
import { codeOf, readFailure, writeFailure } from './failure';
import { checkFileHeader, isTruncated } from './fileHeader';
import { runFormat } from './format/steps';
import { changeUserData, readSaved, storedSummary, withUserData } from './userData';
import { scanRun, type Scan } from './integrity';
import { changeRun } from './manifest';
import { metaJson, readMeta, soundMeta, writeMeta, type Meta } from './meta';
import { openRunFile } from './openRunFile';
import { RunFileReader } from './reader';
import { figuresOf, recoverRunFile, isAbandoned } from './recover';
import { rescueFolders } from './rescue';
import { expectedRunBytes, requireSpace } from './diskSpace';
import { salvageFile } from './salvage';
import { fileExtension } from './id';
import { exportRun, importRun, type ImportFolder } from './transfer';
import { stampOf } from './stamp';
import { SummaryIndex, type KnownSummary } from './summaryIndex';
import { Trash } from './trash';
import type { EngineInfo, UserDataChanges, RunLibrary, RunLibraryOptions, RunReader, RunWriter } from './types';
import { upgraded } from './upgrade';
import { compactRunFile, createRunFile, resumeRunFile, RunFileWriter } from './writer';
import type { SummaryFigures } from './summary';
import { every, nextTurn, systemClock, type Cancel } from '../base/clock';
import { collectGarbage } from '../base/collectGarbage';
import { writerLives } from '../base/lock';
import { log } from '../base/log';
import { sweepTempFolders } from '../base/tempFolder';
import { errorText } from '../../domain/text/errorText';

const flushEveryMs = 1000;
/** Closed connections whose memory is released together: SQLite's is limited to some hundred of them. */
const releaseEvery = 50;
/** What was in use meanwhile takes a complete collection, whose time grows with the list. */
const allReleasedEvery = 400;
/** Faults of a file itself, which last until it changes. */
const lastingFaults: ReadonlySet<string> = new Set(['damaged-run', 'not-a-run', 'newer-run']);

/** The memory of closed connections is released with their garbage, once other work has had its turn. */
async function released(openedRun: number): Promise<void> {
  collectGarbage({ young: openedRun % allReleasedEvery !== 0 });
  await nextTurn();
}

/** Opens the folder of runs, creating it if necessary, and deletes files older than a week from its trash. */
export function openRunLibrary(folder: string, options: RunLibraryOptions = {}): RunLibrary {
  return new FolderLibrary(folder, options);
}

/** A folder that can't be created is reported when a run is to be written there. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    // `requireSpace` has the sentence.
  }
}

/** Empty if the folder does not exist. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return [];
    throw readFailure(error, folder);
  }
}

const repeatByTimer = (run: () => void, everyMs: number): Cancel => every(systemClock, everyMs, run, 'background');

/** An abandoned run, marked interrupted. An upgrade does that too. */
function recovered(database: Database, name: string): Database {
  if (database.format < runFormat) return upgraded(database, name);
  recoverRunFile(database);
  return openRunFile(database.path, name);
}

class FolderLibrary implements RunLibrary {
  private readonly writers = new Map<RunId, RunFileWriter>();
  /** Files of runs that this folder no longer accepted. */
  private readonly rescued = new Map<RunId, string>();
  private readonly rescueFolders: ReadonlyArray<() => string>;
  /** Rows of files that have not changed since they were read. */
  private readonly known = new Map<RunId, KnownSummary>();
  private readonly unreadable = new Map<RunId, KnownSummary>();
  private index: SummaryIndex | undefined;
  private readonly scans = new Map<RunId, { readonly stamp: string; readonly scan: Scan }>();
  private readonly trash: Trash;
  private readonly owner: number | undefined;
  private readonly repeat: NonNullable<RunLibraryOptions['repeat']>;
  private readonly onProblem: NonNullable<RunLibraryOptions['onProblem']>;
  private readonly place: ImportFolder;
  private readonly onOpening: NonNullable<RunLibraryOptions['onOpening']>;
  private readonly onProgress: NonNullable<RunLibraryOptions['onProgress']>;

  constructor(
    readonly folder: string,
    options: RunLibraryOptions,
  ) {
    makeFolder(folder);
    this.owner = options.owner;
    this.rescueFolders = options.staysInFolder === true ? [] : rescueFolders(options.dataFolder);
    this.repeat = options.repeat ?? repeatByTimer;
    this.onProblem = options.onProblem ?? (({ sentence }) => log.error(sentence));
    this.onOpening = options.onOpening ?? (() => undefined);
    this.onProgress = options.onProgress ?? (() => undefined);
    this.trash = new Trash(join(folder, '.trash'), options.now ?? systemClock.wall);
    this.trash.empty();
    sweepTempFolders(folder);
    this.place = {
      folder,
      path: (id) => this.path(id),
      onOpening: this.onOpening,
    };
  }

  get elsewhere(): Readonly<Record<RunId, string>> {
    return Object.fromEntries(this.rescued);
  }

  knowElsewhere(files: Readonly<Record<RunId, string>>): void {
    for (const [id, path] of Object.entries(files)) this.rescued.set(id, path);
  }

  path(id: RunId): string {
    if (!runId.safeParse(id).success) throw new FullhouseError('no-run', `"${id}" is not a run id.`);
    return this.rescued.get(id) ?? join(this.folder, `${id}${fileExtension}`);
  }

  create(view: RunView, engine: EngineInfo): RunWriter {
    const path = this.path(view.id);
    if (existsSync(path)) throw new FullhouseError('run-exists', `Run ${view.id} exists already.`);
    requireSpace(this.folder, expectedRunBytes(view));
    let database: Database;
    try {
      database = createRunFile(path, view, engine, this.owner);
    } catch (error) {
      throw writeFailure(error, `The run can't be written to ${this.folder}`);
    }
    return this.writing(database, view);
  }

  resume(view: RunView): RunWriter | undefined {
    const name = `${view.id}${fileExtension}`;
    const database = openRunFile(this.existing(view.id), name);
    try {
      if (this.isLeft(database)) {
        resumeRunFile(database, this.owner);
        return this.writing(database, view, figuresOf(database));
      }
      const hasEnded = readMeta(database, 'view').state === 'ended';
      database.close();
      if (hasEnded) return undefined;
    } catch (error) {
      database.close();
      throw readFailure(error, name);
    }
    throw new FullhouseError('run-under-way', `The run ${view.id} is being written by another process.`);
  }

  /** Whether no process writes the file but the one that has this one resume it. */
  private isLeft(database: Database): boolean {
    const mark = soundMeta(database, 'writer');
    if (!mark) return isAbandoned(database);
    if (!mark.by || mark.pid !== this.owner) return !writerLives(mark);
    return mark.by.pid === process.pid || !writerLives({ ...mark, ...mark.by, by: undefined });
  }

  private writing(database: Database, view: RunView, figures?: SummaryFigures): RunWriter {
    const writer = new RunFileWriter(
      database,
      view,
      {
        onClosed: () => {
          stop();
          this.writers.delete(view.id);
        },
        onMoved: (moved) => void this.rescued.set(view.id, moved),
        tell: (sentence) => this.onProblem({ run: view.id, sentence }),
        rescueFolders: this.rescueFolders,
      },
      figures,
    );
    const stop = this.repeat(() => writer.keepUp(), flushEveryMs);
    this.writers.set(view.id, writer);
    return writer;
  }

  isWritten(id: RunId): boolean {
    return this.writers.has(id);
  }

  flush(): void {
    for (const writer of this.writers.values()) writer.keepUp();
  }

  list(): RunSummary[] {
    return this.ids()
      .map((id) => this.listed(id))
      .filter((summary) => summary !== undefined)
      .sort((a, b) => b.startedMs - a.startedMs);
  }

  async readAll(): Promise<void> {
    const all = this.ids();
    const index = this.openIndex(all.length);
    let openedCount = 0;
    for (const [done, id] of all.entries()) {
      const before = this.known.get(id);
      const isKnown = (): boolean => this.stateOf(id) === (this.known.get(id) ?? this.unreadable.get(id))?.stamp;
      if (isKnown()) continue;
      this.listed(id);
      const known = this.known.get(id);
      if (known && known !== before) index?.add(id, known);
      openedCount += 1;
      this.onProgress(done + 1, all.length);
      if (openedCount % releaseEvery === 0) await released(openedCount);
    }
    index?.finish(() => this.knownOf(all), all.length);
  }

  private ids(): readonly RunId[] {
    const ids = namesIn(this.folder)
      .filter((name) => name.endsWith(fileExtension))
      .map((name) => name.slice(0, -fileExtension.length))
      .filter((id) => runId.safeParse(id).success);
    return [...new Set([...ids, ...this.rescued.keys()])];
  }

  /** A row of the list; undefined if the file has been removed meanwhile. */
  private listed(id: RunId): RunSummary | undefined {
    const before = this.unreadable.get(id);
    const stamp = this.stateOf(id);
    if (before && before.stamp === stamp) return before.summary;
    try {
      return this.summary(id);
    } catch (error) {
      const summary = this.damaged(id, error);
      // Any other failure may be over the next time.
      if (summary && error instanceof FullhouseError && lastingFaults.has(error.code))
        this.unreadable.set(id, { stamp, summary });
      return summary;
    }
  }

  private stateOf(id: RunId): string {
    return stampOf(this.path(id));
  }

  /** The index of a folder with many runs. Its rows are known from then on. */
  private openIndex(runs: number): SummaryIndex | undefined {
    if (this.index || !SummaryIndex.isFor(runs)) return this.index;
    this.index = new SummaryIndex(this.folder);
    for (const [id, known] of this.index.read()) if (!this.known.has(id)) this.known.set(id, known);
    return this.index;
  }

  private knownOf(ids: readonly RunId[]): ReadonlyArray<readonly [RunId, KnownSummary]> {
    return ids.flatMap((id): Array<readonly [RunId, KnownSummary]> => {
      const known = this.known.get(id);
      return known ? [[id, known]] : [];
    });
  }

  summary(id: RunId): RunSummary {
    const writer = this.writers.get(id);
    if (writer) return withUserData(writer.summary(), readSaved(writer.database));
    const path = this.existing(id);
    const before = stampOf(path);
    const known = this.known.get(id);
    if (known?.stamp === before) return known.summary;
    const database = this.connect(id);
    let summary: RunSummary;
    try {
      summary = storedSummary(database, id);
    } catch (error) {
      throw readFailure(error, `${id}${fileExtension}`);
    } finally {
      database.close();
    }
    summary = { ...summary, bytes: statSync(path).size };
    // A run written by another process keeps changing, and so does its log, which the stamp does not cover.
    if (summary.verdict !== 'running') this.known.set(id, { stamp: stampOf(path), summary });
    return summary;
  }

  open(id: RunId): RunReader {
    const writer = this.writers.get(id);
    writer?.keepUp();
    let ownDatabase = writer ? undefined : this.connect(id);
    const connect = (): Database => {
      if (writer?.database.isOpen) return writer.database;
      ownDatabase ??= this.connect(id);
      return ownDatabase;
    };
    const scans = writer
      ? undefined
      : {
          of: (database: Database) => this.scanOf(id, database),
          isKnown: () => this.scans.get(id)?.stamp === stampOf(this.path(id)),
        };
    return new RunFileReader(id, connect, scans, () => {
      ownDatabase?.close();
      ownDatabase = undefined;
    });
  }

  withDatabase<T>(id: RunId, use: (database: Database) => T): T {
    const writer = this.writers.get(id);
    writer?.flush();
    const database = writer?.database ?? this.connect(id);
    try {
      return use(database);
    } catch (error) {
      throw readFailure(error, `${id}${fileExtension}`);
    } finally {
      if (!writer) database.close();
    }
  }

  change<T>(id: RunId, what: string, use: (database: Database) => T): T {
    const writer = this.writers.get(id);
    try {
      writer?.flush();
      const database = writer?.database ?? this.connect(id, true);
      try {
        return use(database);
      } finally {
        if (!writer) database.close();
      }
    } catch (error) {
      throw writeFailure(error, what);
    } finally {
      this.known.delete(id);
    }
  }

  rename(id: RunId, name: string): RunSummary {
    const writer = this.writers.get(id);
    if (writer) writer.rename(name);
    else
      this.change(id, `The run ${id} can't be renamed`, (database) => {
        readMeta(database, 'view');
        // As it is in the file, with fields of later versions.
        const saved = metaJson(database, 'view') as Meta<'view'>;
        changeRun(database, () => writeMeta(database, 'view', { ...saved, name }));
      });
    return this.summary(id);
  }

  keep(id: RunId, changes: UserDataChanges): RunSummary {
    this.change(id, `The changes to run ${id} can't be saved`, (database) => changeUserData(database, changes));
    return this.summary(id);
  }

  delete(id: RunId): void {
    if (this.writers.has(id))
      throw new FullhouseError('run-under-way', 'The run is still active. Stop it before you delete it.');
    this.trash.take(this.existing(id));
    this.known.delete(id);
  }

  undelete(id: RunId): RunSummary {
    this.trash.giveBack(this.path(id));
    return this.summary(id);
  }

  importFile(path: string, mayRun = false): ReturnType<RunLibrary['importFile']> {
    const { id, ...outcome } = importRun(this.place, path, mayRun);
    this.known.delete(id);
    return { ...this.summary(id), ...outcome };
  }

  exportFile(id: RunId, path: string): { bytes: number } {
    const writer = this.writers.get(id);
    writer?.flush();
    const database = writer?.database ?? this.connect(id);
    try {
      return exportRun(database, path);
    } finally {
      if (!writer) database.close();
    }
  }

  compact(id: RunId): void {
    if (this.writers.has(id)) return;
    const path = this.existing(id);
    this.onOpening(path);
    compactRunFile(path);
    this.known.delete(id);
  }

  /** The check of every row of a file, once until the file changes; undefined while another process writes it. */
  private scanOf(id: RunId, database: Database): Scan | undefined {
    const stamp = stampOf(this.path(id));
    const known = this.scans.get(id);
    if (known?.stamp === stamp) return known.scan;
    if (readMeta(database, 'view').state !== 'ended') return undefined;
    const scan = scanRun(database);
    this.scans.set(id, { stamp, scan });
    return scan;
  }

  private existing(id: RunId): string {
    const path = this.path(id);
    if (!existsSync(path)) throw new FullhouseError('no-run', `Run ${id} does not exist in ${this.folder}.`);
    return path;
  }

  /** A connection to a run that this process does not write, recovered first if no process does. */
  private connect(id: RunId, toChange = false): Database {
    const path = this.existing(id);
    const name = `${id}${fileExtension}`;
    let database: Database | undefined;
    try {
      this.onOpening(path);
      if (isTruncated(path, name)) this.salvage(path, name);
      database = openRunFile(path, name);
      if (isAbandoned(database)) database = recovered(database, name);
      return toChange ? upgraded(database, name) : database;
    } catch (error) {
      database?.close();
      throw readFailure(error, name);
    }
  }

  /**
   * Replaces a truncated file by what can be read of it; the original is kept next to it. Throws `damaged-run` where
   * that is nothing.
   */
  private salvage(path: string, name: string): void {
    const saved = `${path}.saved`;
    try {
      salvageFile(path, saved, name);
    } catch {
      return checkFileHeader(path, name);
    }
    renameSync(path, `${path}.cut`);
    renameSync(saved, path);
  }

  /** The row of an unreadable file; none if it has been removed meanwhile. */
  private damaged(id: RunId, error: unknown): RunSummary | undefined {
    const stat = statSync(this.path(id), { throwIfNoEntry: false });
    if (!stat) return undefined;
    return {
      id,
      name: id,
      startedMs: Math.floor(stat.mtimeMs),
      verdict: 'damaged',
      origin: '',
      requested: 0,
      connectedPeak: 0,
      degradedPercentPeak: 0,
      viewersTrace: [],
      bytes: stat.size,
      problem: errorText(error),
    };
  }
}
