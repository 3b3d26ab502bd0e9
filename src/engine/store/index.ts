/** The runs saved on this machine: one SQLite file each. `library.ts` is the entry point. */
export { newRunId } from './id';
export { openRunLibrary } from './library';
export { readSaved } from './withReader';
export type {
  EngineInfo,
  UserDataChanges,
  NewStill,
  RunLibrary,
  RunLibraryOptions,
  RunReader,
  RunRecorder,
  RunRecording,
  RunWriter,
  SavedHistogram,
  Overview,
  OverviewColumn,
  SeriesSummary,
  SeriesValues,
} from './types';
