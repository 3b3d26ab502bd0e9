import type { RunView } from './run';

type Source = Pick<RunView, 'imported' | 'watched'>;

/** Whether a run is of data alone, imported or watched: it had no viewers, has no verdict, and can't be run again. */
export function isWithoutLoad({ imported, watched }: Source): boolean {
  return imported !== undefined || watched !== undefined;
}

/** Between two samples of a series of a run, ms; undefined: as usual. */
export function stepOf({ imported, watched }: Source): number | undefined {
  return imported?.stepMs ?? watched?.stepMs;
}
