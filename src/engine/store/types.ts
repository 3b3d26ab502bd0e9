import type { RunEvent, RunId, RunIntegrity, RunSummary, RunView, Still } from '../../domain/model/run';
import type { ViewerRow } from '../../contract/viewerSchemas';
import type { Sample, SampleBatch, SeriesId } from '../../domain/series/series';
import type { Histogram } from '../../domain/distribution/histogram';
import type { DistributionId } from '../../domain/series/distributions';
import type { SeriesSummary } from '../../domain/charts/seriesTable';
import type { Database } from './database';

export type { SeriesSummary };

/** The software that wrote a run file: stored in it, so that its origin is known years later. */
export interface EngineInfo {
  readonly version: string;
}

/** A still to be added to a run. */
export interface NewStill {
  readonly timeMs: number;
  readonly cause: string;
  readonly mime: Still['mime'];
  readonly data: Uint8Array;
}

/** The distribution of a figure over the viewers of an audience in the step that begins at `timeMs`. */
export interface SavedHistogram {
  readonly timeMs: number;
  /** Its place in the plan, from 1. */
  readonly audience: number;
  readonly distribution: DistributionId;
  readonly histogram: Histogram;
}

/** What of the distributions to read. */
export interface HistogramQuestion {
  readonly fromMs: number;
  /** Excluded. */
  readonly toMs: number;
  /** A second, or a multiple of it. */
  readonly stepMs: number;
  readonly wanted?: (row: Pick<SavedHistogram, 'audience' | 'distribution'>) => boolean;
}

/** One series of one node, oldest first. */
export interface SeriesValues {
  readonly timeMs: readonly number[];
  readonly value: readonly number[];
}

/** One series of one node in steps: of each the lowest and the highest sample, at their own times, oldest first. */
export interface OverviewColumn extends SeriesValues {
  /** `*` for the sum over all testers (`domain/series/aggregate.ts`). */
  readonly node: string;
  readonly series: SeriesId;
  /** Indexes of values that follow a gap. */
  readonly breaks: readonly number[];
  /** Over all samples that it represents. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** An interval of a run, at the requested resolution. */
export interface Overview {
  /** 0: contains every sample, and no sums. */
  readonly stepMs: number;
  readonly columns: readonly OverviewColumn[];
  /** Where to continue if it was too much for one response; null at the end. */
  readonly nextMs: number | null;
}

/** What is added to a run while it is recorded. Every method throws `run-closed` after its end. */
interface RunInput {
  readonly id: RunId;
  /**
   * Saves samples; `node` is the node's id in the run's view. Of samples of the same node, series and millisecond the
   * first is kept, so that replayed records and a clock that was set back change nothing. A value that is not finite,
   * or an impossible time, throws `bad-sample` after the good ones are saved.
   */
  append(samples: readonly Sample[]): void;
  /** Saves distributions of whole seconds; of the same second and figure they add up. */
  histograms(rows: readonly SavedHistogram[]): void;
  /** Saves an event and assigns the run's next number to it. */
  event(event: Omit<RunEvent, 'id'>): RunEvent;
  still(still: NewStill): Still;
  /** The current view of the run; the file contains the last one before a flush. */
  setView(view: RunView): void;
  /** Adds viewers, or replaces those with the same tester, job and number. */
  setViewers(rows: readonly ViewerRow[]): void;
}

/**
 * Records one run from memory: its file is written by another process, so that no disk is waited for here. All data is
 * sent once a second, and held until the file has it.
 */
export interface RunRecording extends RunInput {
  /** Resolves when the file has all data. Rejects with `run-not-written` when the disk refuses; the data is kept. */
  flush(): Promise<void>;
  /**
   * Ensures that all data can be read from the file, which may move to another folder. Never rejects. Resolves with a
   * sentence when the disk did not answer for long and only the data since then is in the new file.
   */
  secure(): Promise<string | undefined>;
  /** Saves the final view and closes the file: afterwards the file alone is the run. */
  finish(view: RunView): Promise<void>;
}

/** Records the runs of this console, each in a file of the folder of runs. Nothing of it waits for a disk. */
export interface RunRecorder {
  readonly folder: string;
  /** Rejects with `run-exists`, `run-not-written`, `no-room` or `disk-silent`. `signal` cancels it. */
  create(view: RunView, engine: EngineInfo, signal?: AbortSignal): Promise<RunRecording>;
  /** Whether the run is being recorded now. */
  isRecorded(id: RunId): boolean;
  /** Whether the disk of a recorded run does not answer. */
  readonly isSilent: boolean;
  /** The row of the list of a recorded run, without what users have added. */
  summary(id: RunId): RunSummary;
  /** How long the disk of a recorded run has taken nothing, ms. */
  unsavedMs(id: RunId): number;
  /** Size of the file of a recorded run. */
  bytes(id: RunId): number;
  rename(id: RunId, name: string): Promise<RunSummary>;
  keep(id: RunId, changes: UserDataChanges): Promise<RunSummary>;
  /**
   * Resolves when the files of recorded runs have all data, or the disk has refused it. Rejects with `disk-silent` when
   * that of the runs does not answer. Resolves with the folder of `run` if it had to move away from such a disk.
   */
  settle(run?: RunId): Promise<string | undefined>;
  /** Files of runs that had to move to another folder, by id. */
  readonly elsewhere: Readonly<Record<RunId, string>>;
  /** Path of a run's file: in another folder if that of the runs could not be written any more. */
  path(id: RunId): string;
  /** Waits for silent disks are cut short from now on. */
  hurry(): void;
  /** Ends the processes that write; resolves when they are gone, but for those that wait for a silent disk. */
  close(): Promise<void>;
}

/**
 * Writes one run. All data is committed at the next flush, which the writer makes itself once a second: a killed
 * process loses the last second at most. Every method throws a `FullhouseError` with code `run-closed` after `finish`.
 */
export interface RunWriter extends RunInput {
  /** `isRepeat`: the file may have them already. */
  histograms(rows: readonly SavedHistogram[], isRepeat?: boolean): void;
  /** `id`: default the next; an event that the file has already is left out. */
  event(event: Omit<RunEvent, 'id'>, id?: number): RunEvent;
  still(still: NewStill, id?: number): Still;
  /** Whether the file has all that was added. */
  readonly isSaved: boolean;
  /** Flushes, and continues elsewhere when the disk refuses for long. Never throws: a problem is reported, once. */
  keepUp(): void;
  /**
   * Commits pending data. Throws `run-not-written` when the disk refuses; the data is then kept for the next attempt.
   */
  flush(): void;
  /**
   * Ensures that all data can be read from the file, which moves to another folder when its own can't be written:
   * `RunLibrary.path` returns where. Never throws; what no disk accepts is reported and stays in memory.
   */
  secure(): void;
  /** Saves the final view and closes the file: afterwards the file alone is the run. Takes no longer than a flush. */
  finish(view: RunView): void;
}

/** Reads one run, including the active one (up to this call: a writer of this process is flushed first). */
export interface RunReader {
  readonly id: RunId;
  view(): RunView;
  /** The software that wrote the file. */
  engine(): EngineInfo;
  /** Whether every row of the file is what was written. Damaged rows are excluded from everything that is read. */
  integrity(): RunIntegrity;
  events(): RunEvent[];
  stills(): Still[];
  /** Throws `no-still` when the run has no such still. */
  stillData(id: number): { readonly mime: Still['mime']; readonly data: Uint8Array };
  /**
   * Samples from `fromMs` (included) to `toMs` (excluded) by time. Ends after about `limit` samples, always at the end
   * of a millisecond: `nextMs` is then the `fromMs` to continue with, and null at the end.
   */
  samples(fromMs: number, toMs: number, limit: number): { readonly batch: SampleBatch; readonly nextMs: number | null };
  /**
   * An interval in at most `columns` steps (approximately: steps are round), of all series or the given ones, with the
   * sums over all testers. No maximum or minimum is lost.
   */
  overview(fromMs: number, toMs: number, columns: number, series?: ReadonlySet<SeriesId>): Overview;
  /** Distributions in steps, oldest first; see `readHistograms`. */
  histograms(question: HistogramQuestion): readonly SavedHistogram[];
  /** Number of samples. */
  count(): number;
  /** All series of the run. */
  keys(): SampleBatch['keys'];
  /** All samples minute by minute, in order of time. */
  minutes(): Generator<SampleBatch>;
  /**
   * Reads these series of all nodes in one pass for later calls of `values`. For callers that need many of a long run.
   */
  prepare(series: readonly SeriesId[]): void;
  /** One series of one node, `toMs` excluded; default: the entire run. */
  values(node: string, series: SeriesId, fromMs?: number, toMs?: number): SeriesValues;
  /** Figures per node and series, `toMs` excluded; default: over the entire run. */
  summaries(fromMs?: number, toMs?: number): SeriesSummary[];
  viewers(
    offset: number,
    limit: number,
    state?: ViewerRow['state'],
  ): { readonly total: number; readonly viewers: ViewerRow[] };
  close(): void;
}

/** What users change on a saved run. Absent fields stay unchanged; an empty note removes the note. */
export interface UserDataChanges {
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  readonly note?: string;
  readonly isBaseline?: boolean;
}

/** A run's id in the folder, and one sentence if it existed already. */
export interface Imported {
  readonly id: RunId;
  readonly outcome?: string;
  /** The file is an anonymized snapshot of this run, which got its notes; what it shows stays in the file. */
  readonly isSnapshot?: boolean;
  /** The run's file is a copy of the imported one. */
  readonly isWritten?: boolean;
}

/**
 * The folder of runs, one file each. Ids are file names without their extension. Every method that takes an id throws a
 * `FullhouseError` with code `no-run` when the run does not exist, `damaged-run` when its file can't be read.
 */
export interface RunLibrary {
  readonly folder: string;
  /** Creates the file of a new run; `view.id` is a `newRunId`. Throws `run-exists` or `run-not-written`. */
  create(view: RunView, engine: EngineInfo): RunWriter;
  /** Continues the file of a run whose writing process ended; undefined if that had closed it. */
  resume(view: RunView): RunWriter | undefined;
  /** Whether this library is writing the run now. */
  isWritten(id: RunId): boolean;
  /** Commits pending data of every run that is being written, as far as the disk allows. */
  flush(): void;
  /**
   * Every run, newest first. A damaged file is an entry of its own; runs that a killed process left are marked
   * interrupted.
   */
  list(): RunSummary[];
  /**
   * Reads what a list needs of all files that have changed, in pieces, so that a list of any number of runs opens a few
   * files only.
   */
  readAll(): Promise<void>;
  summary(id: RunId): RunSummary;
  /** Opens a run. It is marked interrupted first if its file is marked `running` and no process writes it any more. */
  open(id: RunId): RunReader;
  /** Changes the name of a run; its id stays. Also for an active run. */
  rename(id: RunId, name: string): RunSummary;
  /** Changes tags, note or baseline mark, which are in the run's file next to the recorded data. */
  keep(id: RunId, changes: UserDataChanges): RunSummary;
  /** Moves a run to the trash. Throws `run-under-way` while it is written. */
  delete(id: RunId): void;
  /** Restores a run from the trash. */
  undelete(id: RunId): RunSummary;
  /**
   * Imports a file. Throws `not-a-run`, `newer-run` or `damaged-run`, each with a sentence. An existing run stays as it
   * is, unless the file contains a longer recording of it, which then replaces it; notes of both are kept; `outcome`
   * describes the outcome. A copy of a run that another process still records counts as interrupted, unless `mayRun`:
   * then it is marked `running`. `isWritten`: the run's file is now a copy of the imported one.
   */
  importFile(path: string, mayRun?: boolean): RunSummary & Omit<Imported, 'id'>;
  /** Writes a run as one file, also an active one; returns its size. Replaces `path`. */
  exportFile(id: RunId, path: string): { readonly bytes: number };
  /** The run's file itself, with the writer's own connection while the run is active; not to be kept beyond `use`. */
  withDatabase<T>(id: RunId, use: (database: Database) => T): T;
  /**
   * Opens a run to change it: a file of an older format is upgraded first, the original stays next to it. `what` begins
   * the sentence of a failure, e.g. `The note can't be saved`.
   */
  change<T>(id: RunId, what: string, use: (database: Database) => T): T;
  /** Compacts the file of an ended run, which takes a while for a long one. A file in use stays as it is. */
  compact(id: RunId): void;
  /** Files of runs that had to move to another folder since this library was opened, by id. */
  readonly elsewhere: Readonly<Record<RunId, string>>;
  /** Adopts the list of such files from another process's library of this folder. */
  knowElsewhere(files: Readonly<Record<RunId, string>>): void;
  /** Path of a run's file: in another folder if this one could not be written any more. */
  path(id: RunId): string;
}

export interface RunLibraryOptions {
  /**
   * Calls `run` every `everyMs` until the returned function is called. Default: a timer that keeps no process alive.
   */
  readonly repeat?: (run: () => void, everyMs: number) => () => void;
  readonly now?: () => number;
  /** Process on whose behalf this one writes runs. */
  readonly owner?: number;
  /** Called with the path of each run file before SQLite opens it; for an imported file with its original path. */
  readonly onOpening?: (path: string) => void;
  /** Called after each file that a list had to open, with the number of runs that are read and that of all. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Folder of the app, the first fallback for a run's file that can't be written any more. */
  readonly dataFolder?: string;
  /** A file that can't be written stays where it is; what is to be added waits in memory. */
  readonly staysInFolder?: boolean;
  /**
   * Called once when a run's file can't be written, when it is moved to another folder, and when the problem is over.
   * Default: standard error.
   */
  readonly onProblem?: (problem: { readonly run: RunId; readonly sentence: string }) => void;
}
