/** The runs saved on this machine: one SQLite file each. `library.ts` is the entry point. */
export { newRunId } from './id';
export { openRunLibrary } from './library';
export { noRunLibrary } from './noLibrary';
export { readSaved } from './withReader';
export type {
  EngineInfo,
  UserDataChanges,
  NewStill,
  RunLibrary,
  RunLibraryOptions,
  RunReader,
  RunWriter,
  SavedHistogram,
  Overview,
  OverviewColumn,
  SeriesSummary,
  SeriesValues,
} from './types';
