import { renameSync, rmSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import type { RunId } from '../../domain/model/run';
import { allTestersId } from '../../domain/series/aggregate';
import type { Sample } from '../../domain/series/series';
import type { WatchedSegment } from '../../domain/watch/retention';
import { errorText } from '../../domain/text/errorText';
import { log } from '../base/log';
import { readMeta } from './meta';
import type { RunLibrary } from './types';
import { readSaved } from './withReader';

/** Read and written at once: a row of the lowest overview. */
const pieceMs = 600_000;

/**
 * Replaces the file of a watched range by one with the lowest and the highest sample of each step, at their own times:
 * no peak is lost. A process that ends meanwhile leaves the file as it was.
 */
export function thinRun(library: RunLibrary, run: RunId, stepMs: number): void {
  const thinned = `${run}-thin`;
  rmSync(library.path(thinned), { force: true });
  readSaved(library, run, (reader) => {
    const view = reader.view();
    if (view.watched === undefined || view.endedMs === undefined) return;
    const writer = library.create({ ...view, id: thinned, state: 'running' }, reader.engine());
    for (const event of reader.events()) writer.event(event);
    const endMs = view.endedMs + 1;
    for (let fromMs = Math.floor(view.startedMs / pieceMs) * pieceMs; fromMs < endMs; fromMs += pieceMs) {
      const { columns } = reader.overview(fromMs, fromMs + pieceMs, pieceMs / stepMs);
      writer.append(
        columns.flatMap(({ node, series, timeMs, value }) =>
          node === allTestersId
            ? []
            : timeMs.map((at, i): Sample => ({ timeMs: at, node, series, value: value[i] ?? 0 })),
        ),
      );
      writer.flush();
    }
    // The id of the file that it becomes.
    writer.finish({ ...view, watched: { ...view.watched, stepMs } });
  });
  renameSync(library.path(thinned), library.path(run));
}

/** The files of a watched history, oldest first; one that can't be read is logged and left out. */
export function watchedSegments(library: RunLibrary): WatchedSegment[] {
  return library
    .list()
    .flatMap(({ id, bytes }): WatchedSegment[] => {
      try {
        const { startedMs, endedMs, watched } = library.withDatabase(id, (database) => readMeta(database, 'view'));
        // One that is written now has no end yet.
        if (watched === undefined || endedMs === undefined) return [];
        return [{ run: id, fromMs: startedMs, toMs: endedMs, stepMs: watched.stepMs, bytes }];
      } catch (error) {
        log.warn(`The watched data in ${library.path(id)} can't be read: ${errorText(error)}`);
        return [];
      }
    })
    .sort((a, b) => a.fromMs - b.fromMs);
}

/** Removes a file of a watched history. Throws `not-watched` for any other run. */
export function discardSegment(library: RunLibrary, run: RunId): void {
  const { watched } = library.withDatabase(run, (database) => readMeta(database, 'view'));
  if (watched === undefined) throw new FullhouseError('not-watched', `${run} is a run; it can be deleted in Runs.`);
  rmSync(library.path(run));
}
