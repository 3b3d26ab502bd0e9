/** The runs kept on this machine: one SQLite file each. `library.ts` is the way in. */
export { newRunId } from './id';
export { openRunLibrary } from './library';
export { noRunLibrary } from './noLibrary';
export { readKept } from './readKept';
export type {
  EngineInfo,
  KeptChanges,
  NewStill,
  RunLibrary,
  RunLibraryOptions,
  RunReader,
  RunWriter,
  Overview,
  OverviewColumn,
  SeriesSummary,
  SeriesValues,
} from './types';
