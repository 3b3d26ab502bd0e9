import type { RunSummary } from '../../domain/model/run';
import type { WatchedRun } from '../charts/scene';

/** The saved runs that ended since a time: those that the axis of a watched fleet may show, oldest first. */
export function watchedRuns(saved: readonly RunSummary[], sinceMs: number): readonly WatchedRun[] {
  return saved
    .flatMap(({ id, name, startedMs, endedMs, verdict, requested, clients }) =>
      // The file of a damaged run can't be opened, and its times are those of the file.
      // Without viewers or publishers it is data alone, such as a saved range of this very axis.
      endedMs === undefined || endedMs < sinceMs || verdict === 'damaged' || (requested === 0 && clients === undefined)
        ? []
        : [{ id, name, fromMs: startedMs, toMs: endedMs }],
    )
    .sort((a, b) => a.fromMs - b.fromMs);
}
