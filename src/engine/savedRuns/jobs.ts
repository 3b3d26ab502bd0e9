import { renameSync } from 'node:fs';
import { type ExportFormat, exportRun } from '../export/exportRun';
import { estimateOf } from '../estimate/estimateOf';
import { ciSummary } from '../library/ciSummary';
import { planDigest, type RecordedPlan } from '../library/ownRuns';
import { setBaseline } from '../library/baseline';
import { compareSaved } from '../library/compare';
import { comparisonText, exportComparison, type ComparisonForm } from '../library/exportComparison';
import { comparedWithBaseline } from '../library/baselineComparison';
import { readMeta } from '../store/meta';
import { overviewBatch } from '../store/overviewBatch';
import { resultOf } from '../report/runResult';
import { distributionOverTime, type DistributionRange } from './distributionOverTime';
import { conclude, type Ending } from './conclude';
import { codesOfFile, codesOfPixels, type Luma } from '../clockCodes/readCodes';
import type { Judgement } from '../../domain/verdict/verdict';
import { Annotator } from '../export/annotate';
import { previewSnapshot, writeSnapshot } from '../export/snapshot';
import { readSaved, type UserDataChanges, type RunLibrary } from '../store';
import { discardSegment, thinRun, watchedSegments } from '../store/watched';
import type { WatchedSegment } from '../../domain/watch/retention';
import type { CapacityView } from '../../domain/model/node';
import type { RedactionChoice } from '../../domain/redaction';
import type { RunId, RunView } from '../../domain/model/run';
import type { ViewerRow } from '../../contract/viewerSchemas';
import type { SeriesId } from '../../domain/series/series';
import { systemClock } from '../base/clock';

interface OfRun {
  readonly run: RunId;
}

/** Opens another folder of runs, for a job that reads of two. */
export type LibraryOf = (folder: string) => RunLibrary;

interface ComparedRun {
  /** The run at its end, without a verdict. */
  readonly view: RunView;
  readonly judgement: Judgement;
  /** Folder of the runs with which it is compared; default: its own. */
  readonly baselinesFolder?: string | undefined;
}

interface CiSummaryOptions {
  readonly baselinesFolder?: string | undefined;
  readonly link?: string | undefined;
}

/** Maximum of samples in one response; the window requests the rest from there. */
const maxSamples = 200_000;

const annotator = (library: RunLibrary): Annotator => new Annotator(library, systemClock.wall);

/**
 * All work on the files of saved runs, each a job by name. Jobs run in a separate process (`readerProcess.ts`), because
 * a file may come from anywhere: a damaged or malicious one ends only that process.
 */
export const jobs = {
  list: async (library: RunLibrary, _: object) => {
    await library.readAll();
    return library.list();
  },
  summary: (library: RunLibrary, { run }: OfRun) => library.summary(run),
  /** What each readable run was started with. */
  planDigests: async (library: RunLibrary, _: object): Promise<RecordedPlan[]> => {
    await library.readAll();
    return library.list().flatMap(({ id, verdict }) => {
      try {
        if (verdict === 'damaged') return [];
        const { plan } = library.withDatabase(id, (database) => readMeta(database, 'view'));
        return [{ run: id, digest: planDigest(plan) }];
      } catch {
        // A run that can't be read can't be run again either.
        return [];
      }
    });
  },
  /** The nodes of a watched file, without a check of all of its rows. */
  watchedNodes: (library: RunLibrary, { run }: OfRun) =>
    library.withDatabase(run, (database) => readMeta(database, 'view').nodes),
  view: (library: RunLibrary, { run }: OfRun) => readSaved(library, run, (reader) => reader.view()),
  open: (library: RunLibrary, { run }: OfRun) =>
    readSaved(library, run, (reader) => ({
      run: reader.view(),
      events: annotator(library).marked(reader.events()),
      stills: reader.stills(),
    })),
  samples: (library: RunLibrary, { run, fromMs, toMs }: OfRun & { readonly fromMs: number; readonly toMs: number }) =>
    readSaved(library, run, (reader) => reader.samples(fromMs, toMs, maxSamples)),
  overview: (
    library: RunLibrary,
    range: OfRun & {
      readonly fromMs: number;
      readonly toMs: number;
      readonly columns: number;
      readonly series?: readonly SeriesId[] | undefined;
    },
  ) =>
    readSaved(library, range.run, (reader) =>
      overviewBatch(reader.overview(range.fromMs, range.toMs, range.columns, range.series && new Set(range.series))),
    ),
  distribution: (library: RunLibrary, { run, ...range }: OfRun & DistributionRange) =>
    readSaved(library, run, (reader) => distributionOverTime(reader, range)),
  series: (library: RunLibrary, { run }: OfRun) => readSaved(library, run, (reader) => reader.summaries()),
  still: (library: RunLibrary, { run, id }: OfRun & { readonly id: number }) =>
    readSaved(library, run, (reader) => reader.stillData(id)),
  viewers: (
    library: RunLibrary,
    page: OfRun & {
      readonly offset: number;
      readonly limit: number;
      readonly state?: ViewerRow['state'] | undefined;
    },
  ) => readSaved(library, page.run, (reader) => reader.viewers(page.offset, page.limit, page.state)),

  rename: (library: RunLibrary, { run, name }: OfRun & { readonly name: string }) => library.rename(run, name),
  keep: (library: RunLibrary, { run, changes }: OfRun & { readonly changes: UserDataChanges }) =>
    library.keep(run, changes),
  setBaseline: async (library: RunLibrary, { run, isBaseline }: OfRun & { readonly isBaseline: boolean }) => {
    if (isBaseline) await library.readAll();
    return setBaseline(library, run, isBaseline);
  },
  delete: (library: RunLibrary, { run }: OfRun) => library.delete(run),
  undelete: (library: RunLibrary, { run }: OfRun) => library.undelete(run),
  writeNote: (
    library: RunLibrary,
    note: OfRun & { readonly text: string; readonly timeMs: number; readonly author?: string | undefined },
  ) => annotator(library).write(note.run, note),
  editNote: (library: RunLibrary, note: OfRun & { readonly uid: string; readonly text: string }) =>
    annotator(library).edit(note.run, note.uid, note.text),
  removeNote: (library: RunLibrary, { run, uid }: OfRun & { readonly uid: string }) =>
    annotator(library).remove(run, uid),

  /** With `mayRun` the copy of a run that is still recorded is marked as running; without, as interrupted. */
  import: (library: RunLibrary, { path, mayRun }: { readonly path: string; readonly mayRun?: boolean | undefined }) =>
    library.importFile(path, mayRun),
  /** Imports a file into a folder that has no other runs, with an id of its own. */
  openCopy: (library: RunLibrary, { path, as }: { readonly path: string; readonly as: RunId }) => {
    renameSync(library.path(library.importFile(path).id), library.path(as));
  },
  export: (
    library: RunLibrary,
    to: OfRun & {
      readonly kind: ExportFormat;
      readonly path: string;
      readonly choice?: RedactionChoice | undefined;
    },
  ) => exportRun(library, to.run, to.kind, to.path, to.choice),
  compare: async (library: RunLibrary, { runs }: { readonly runs: readonly RunId[] }) => {
    await library.readAll();
    return compareSaved(library, runs);
  },
  compareText: async (
    library: RunLibrary,
    { runs, form }: { readonly runs: readonly RunId[]; readonly form: ComparisonForm },
  ) => {
    await library.readAll();
    return comparisonText(library, runs, form);
  },
  exportComparison: async (
    library: RunLibrary,
    to: { readonly runs: readonly RunId[]; readonly form: ComparisonForm; readonly path: string },
  ) => {
    await library.readAll();
    return exportComparison(library, to.runs, to.form, to.path);
  },
  estimate: (library: RunLibrary, { run, capacity }: OfRun & { readonly capacity?: CapacityView | undefined }) =>
    readSaved(library, run, (reader) => estimateOf(reader, capacity)),
  result: (
    library: RunLibrary,
    { run, file, report }: OfRun & { readonly file: string; readonly report: string | null },
  ) => readSaved(library, run, (reader) => resultOf(reader, file, report)),
  previewSnapshot: (library: RunLibrary, { run }: OfRun) => previewSnapshot(library, run),
  writeSnapshot: (
    library: RunLibrary,
    { run, choice, path }: OfRun & { readonly choice: RedactionChoice; readonly path: string },
  ) => writeSnapshot(library, run, choice, path),

  /** The verdict of an ending run by its plan. */
  judge: (library: RunLibrary, { ending }: { readonly ending: Ending }): Judgement =>
    readSaved(library, ending.view.id, (reader) => conclude(ending, reader)),
  /**
   * The verdict with what a baseline adds, and sentences about what could not be taken into account. Reads the list of
   * runs.
   */
  compareWithBaseline: async (
    library: RunLibrary,
    { view, judgement, baselinesFolder }: ComparedRun,
    libraryOf: LibraryOf,
  ) => {
    const baselines = baselinesFolder === undefined ? library : libraryOf(baselinesFolder);
    await baselines.readAll();
    const problems: string[] = [];
    const compared = readSaved(library, view.id, (reader) =>
      comparedWithBaseline(judgement, view, reader, {
        library: baselines,
        problem: (sentence) => void problems.push(sentence),
      }),
    );
    return { judgement: compared, problems };
  },
  /** The result of an ended run for CI, as Markdown. */
  ciSummary: async (
    library: RunLibrary,
    { run, baselinesFolder, link }: OfRun & CiSummaryOptions,
    libraryOf: LibraryOf,
  ) => {
    const baselines = baselinesFolder === undefined ? library : libraryOf(baselinesFolder);
    await baselines.readAll();
    return readSaved(library, run, (reader) => ciSummary(reader, { library: baselines, link }));
  },
  /** The files of a watched history; one that can't be read is left out. */
  watchedSegments: (library: RunLibrary, _: object): WatchedSegment[] => watchedSegments(library),
  /** Replaces a file of a watched history by one with longer steps. */
  thin: (library: RunLibrary, { run, stepMs }: OfRun & { readonly stepMs: number }) => thinRun(library, run, stepMs),
  /** Removes a file of a watched history, without the trash. */
  discard: (library: RunLibrary, { run }: OfRun) => discardSegment(library, run),
  /** The codes of clock pages in a picture: an untrusted file, as a run file is. */
  codesOfPicture: async (_: RunLibrary, picture: { readonly path: string } | Luma) =>
    'path' in picture ? codesOfFile(picture.path) : codesOfPixels(picture),
  /** Compacts the file of an ended run; it takes a while for a long one. */
  compact: (library: RunLibrary, { run }: OfRun) => library.compact(run),
} satisfies Record<string, (library: RunLibrary, input: never, libraryOf: LibraryOf) => unknown>;

export type JobName = keyof typeof jobs;
export type JobInput<N extends JobName> = Parameters<(typeof jobs)[N]>[1];
export type JobOutput<N extends JobName> = Awaited<ReturnType<(typeof jobs)[N]>>;
