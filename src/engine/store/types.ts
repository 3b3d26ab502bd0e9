import type { RunEvent, RunId, RunIntegrity, RunSummary, RunView, Still, ViewerRow } from '../../domain/run';
import type { Sample, SampleBatch, SeriesId } from '../../domain/series';
import type { SeriesSummary } from '../../domain/seriesTable';
import type { Database } from './database';

export type { SeriesSummary };

/** What made a run file: kept in it, so that a file tells its origin years later. */
export interface EngineInfo {
  readonly version: string;
}

/** A still on its way into a run. */
export interface NewStill {
  readonly timeMs: number;
  readonly cause: string;
  readonly mime: Still['mime'];
  readonly data: Uint8Array;
}

/** One series of one node, oldest first. */
export interface SeriesValues {
  readonly timeMs: readonly number[];
  readonly value: readonly number[];
}

/** One series of one node in steps: of each the lowest and the highest sample, at their own times, oldest first. */
export interface OverviewColumn extends SeriesValues {
  /** `*` for the sum over all testers (`domain/summed.ts`). */
  readonly node: string;
  readonly series: SeriesId;
  /** Places of values before which the series was silent for a while. */
  readonly breaks: readonly number[];
  /** Of all samples that it stands for. */
  readonly firstMs: number;
  readonly lastMs: number;
}

/** A stretch of a run, as coarse as was asked for. */
export interface Overview {
  /** 0: every sample is there, and no sums are. */
  readonly stepMs: number;
  readonly columns: readonly OverviewColumn[];
  /** Where to go on, when it was too much for one answer; null when nothing follows. */
  readonly nextMs: number | null;
}

/**
 * Writes one run. Everything handed over is committed at the next flush, which the writer makes by itself once a
 * second: a killed process loses the last second at most. Every method throws a `FullhouseError` with code
 * `run-closed` after `finish`.
 */
export interface RunWriter {
  readonly id: RunId;
  /**
   * Keeps samples; `node` is the node's id in the run's view. Of samples of the same node, series and millisecond the
   * first is kept, so that replayed records and a clock that was set back change nothing. A value that is not finite,
   * or a time that no run has, throws `bad-sample` after the good ones are kept.
   */
  append(samples: readonly Sample[]): void;
  /** Keeps an event and gives it the run's next number. */
  event(event: Omit<RunEvent, 'id'>): RunEvent;
  still(still: NewStill): Still;
  /** The run as it is now; the last one before a flush is what the file holds. */
  setView(view: RunView): void;
  /** Adds viewers, or replaces those of the same tester, job and number. */
  setViewers(rows: readonly ViewerRow[]): void;
  /**
   * Commits what is waiting. Throws `run-not-written` when the disk refuses; what waits is then kept for the next
   * try.
   */
  flush(): void;
  /**
   * Makes sure that all that was handed over can be read from the file, which goes to another folder when its own
   * does not take it: `RunLibrary.path` says where. Never throws; what no disk takes is told and stays in memory.
   */
  secure(): void;
  /** Keeps the final view and closes the file: afterwards the file alone is the run. Takes no longer than a flush. */
  finish(view: RunView): void;
}

/** Reads one run, the one under way included (up to this call: a writer of this process is flushed first). */
export interface RunReader {
  readonly id: RunId;
  view(): RunView;
  /** What wrote the file. */
  engine(): EngineInfo;
  /** Whether every row of the file is what was written. What is not is left out of everything that is read. */
  integrity(): RunIntegrity;
  events(): RunEvent[];
  stills(): Still[];
  /** Throws `no-still` when the run holds no such still. */
  stillData(id: number): { readonly mime: Still['mime']; readonly data: Uint8Array };
  /**
   * Samples from `fromMs` (included) to `toMs` (excluded) by time. Ends after about `limit` samples, always at the
   * end of a millisecond: `nextMs` is then the `fromMs` to go on with, and null when nothing follows.
   */
  samples(
    fromMs: number,
    toMs: number,
    limit: number,
  ): { readonly batch: SampleBatch; readonly nextMs: number | null };
  /**
   * A stretch in at most `columns` steps (about: steps are round), of all series or of those that are named, sums
   * over all testers with them. No highest or lowest value is lost by it.
   */
  overview(fromMs: number, toMs: number, columns: number, series?: ReadonlySet<SeriesId>): Overview;
  /** How many samples there are. */
  count(): number;
  /** All series of the run. */
  keys(): SampleBatch['keys'];
  /** All samples minute by minute, in order of time. */
  minutes(): Generator<SampleBatch>;
  /** Reads these series of all nodes in one go; `values` of them is then at hand. For who wants many of a long run. */
  prepare(series: readonly SeriesId[]): void;
  /** One series of one node, `toMs` excluded; all of the run by default. */
  values(node: string, series: SeriesId, fromMs?: number, toMs?: number): SeriesValues;
  /** Figures per node and series, `toMs` excluded; over all of the run by default. */
  summaries(fromMs?: number, toMs?: number): SeriesSummary[];
  viewers(
    offset: number,
    limit: number,
    state?: ViewerRow['state'],
  ): { readonly total: number; readonly viewers: ViewerRow[] };
  close(): void;
}

/** What people change about a run that is kept. What is absent stays; an empty note takes the note away. */
export interface KeptChanges {
  readonly addTags?: readonly string[];
  readonly removeTags?: readonly string[];
  readonly note?: string;
  readonly isBaseline?: boolean;
}

/**
 * The folder of runs, one file each. Ids are file names without their extension. Every method that takes an id throws
 * a `FullhouseError` with code `no-run` when there is no such run, `damaged-run` when its file can't be read.
 */
export interface RunLibrary {
  readonly folder: string;
  /** Starts the file of a new run; `view.id` is a `newRunId`. Throws `run-exists` or `run-not-written`. */
  create(view: RunView, engine: EngineInfo): RunWriter;
  /** Whether this library is writing the run now. */
  isWritten(id: RunId): boolean;
  /** Commits what waits in every run that is being written, as far as the disk lets it. */
  flush(): void;
  /**
   * Every run, newest first. A damaged file is an entry of its own; runs that a killed process left are marked
   * interrupted.
   */
  list(): RunSummary[];
  summary(id: RunId): RunSummary;
  /** Opens a run, which marks it interrupted first when its file says `running` and nobody writes it any more. */
  open(id: RunId): RunReader;
  /** Changes the name of a run; its id stays. A run under way is renamed too. */
  rename(id: RunId, name: string): RunSummary;
  /** Changes tags, note or baseline mark, which lie in the run's file beside what was recorded. */
  keep(id: RunId, changes: KeptChanges): RunSummary;
  /** Moves a run to the trash. Throws `run-under-way` while it is written. */
  delete(id: RunId): void;
  /** Takes a run out of the trash again. */
  undelete(id: RunId): RunSummary;
  /**
   * Copies a file in. Throws `not-a-run`, `newer-run` or `damaged-run`, each with a sentence. A run that is already
   * there stays as it is, unless the file holds a longer recording of it, which then takes its place; notes of both
   * are kept, and `news` says what came of it. A copy of a run that another process still records is one of an
   * interrupted run, unless `mayRun`: then it says `running`.
   */
  importFile(path: string, mayRun?: boolean): RunSummary & { readonly news?: string };
  /** Writes a run as one file, the one under way included; returns its size. Replaces `path`. */
  exportFile(id: RunId, path: string): { readonly bytes: number };
  /** The run's file itself, the writer's own connection while the run is under way; not to be kept beyond `use`. */
  withDatabase<T>(id: RunId, use: (database: Database) => T): T;
  /**
   * Puts the file of a run that has ended in order, which takes a moment for a long one. A file in use stays as it
   * is.
   */
  compact(id: RunId): void;
  /** Files of runs that had to go to another folder since this library was opened, by their ids. */
  readonly elsewhere: Readonly<Record<RunId, string>>;
  /** Takes over what another process's library of this folder knows of such files. */
  knowElsewhere(files: Readonly<Record<RunId, string>>): void;
  /** Where a run's file lies: in another folder when this one could not be written any more. */
  path(id: RunId): string;
}

export interface RunLibraryOptions {
  /**
   * Calls `run` every `everyMs` until the returned function is called. Default: a timer that keeps no process alive.
   */
  readonly repeat?: (run: () => void, everyMs: number) => () => void;
  readonly now?: () => number;
  /**
   * Called with the path of each run file before SQLite opens it; of an imported file with the path it was imported
   * from.
   */
  readonly onOpening?: (path: string) => void;
  /** Folder of the app, the first that a run's file goes to when its own can't be written any more. */
  readonly dataFolder?: string;
  /**
   * Hears once when a run's file can't be written, where it is rescued to, and when all is well again. Default:
   * standard error.
   */
  readonly onProblem?: (problem: { readonly run: RunId; readonly sentence: string }) => void;
}
