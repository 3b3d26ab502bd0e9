import { renameSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import type { RunId } from '../../domain/model/run';
import { allTestersId } from '../../domain/series/aggregate';
import type { WatchedSegment } from '../../domain/watch/retention';
import { errorText } from '../../domain/text/errorText';
import { systemClock } from '../base/clock';
import { log } from '../base/log';
import { readMeta } from './meta';
import { PackedRunFile } from './packedFile';
import { removeRunFile } from './rescue';
import type { Overview, OverviewColumn, RunLibrary, RunReader } from './types';
import { readSaved } from './withReader';

/** Of files that are being made, and are no part of the history yet. */
const thinEnding = '-thin';

/** Read and written at once: a row of the lowest overview. */
const pieceMs = 600_000;

/**
 * Replaces the file of a watched range by one with the lowest and the highest sample of each step, at their own times:
 * no peak is lost. A process that ends meanwhile leaves the file as it was.
 */
export function thinRun(library: RunLibrary, run: RunId, stepMs: number): void {
  // Two consoles may watch into one folder.
  const thinned = `${run}-${process.pid}${thinEnding}`;
  const path = library.path(thinned);
  const summary = library.withDatabase(run, (database) => readMeta(database, 'summary'));
  readSaved(library, run, (reader) => {
    const { endedMs, watched, ...view } = reader.view();
    if (watched === undefined || endedMs === undefined)
      throw new FullhouseError('not-watched', `${run} is a run; only watched data is made thinner.`);
    const file = new PackedRunFile(path, { ...view, id: thinned, state: 'running' }, reader.engine());
    try {
      for (let fromMs = Math.floor(view.startedMs / pieceMs) * pieceMs; fromMs <= endedMs; fromMs += pieceMs)
        file.add(wholeOverview(reader, fromMs, fromMs + pieceMs, stepMs));
      // The id of the file that it becomes.
      file.finish({ ...view, endedMs, watched: { ...watched, stepMs } }, summary, reader.events());
    } catch (error) {
      file.discard();
      throw error;
    }
  });
  renameSync(path, library.path(run));
}

/** A piece of the run in steps, without the sums, which follow from the rest. */
function wholeOverview(reader: RunReader, fromMs: number, toMs: number, stepMs: number): readonly OverviewColumn[] {
  const columns: OverviewColumn[] = [];
  for (let next: number | null = fromMs; next !== null;) {
    const part: Overview = reader.overview(next, toMs, Math.max(1, Math.round((toMs - next) / stepMs)));
    columns.push(...part.columns.filter(({ node }) => node !== allTestersId));
    next = part.nextMs;
  }
  return columns;
}

/** The files of a watched history, oldest first; one that can't be read is logged and left out. */
export function watchedSegments(library: RunLibrary): WatchedSegment[] {
  return library
    .list()
    .flatMap(({ id, bytes }): WatchedSegment[] => {
      try {
        const { startedMs, endedMs, watched } = library.withDatabase(id, (database) => readMeta(database, 'view'));
        // One that another console writes now has no end yet.
        if (watched === undefined || id.endsWith(thinEnding)) return [];
        return [{ run: id, fromMs: startedMs, toMs: endedMs ?? systemClock.wall(), stepMs: watched.stepMs, bytes }];
      } catch (error) {
        log.warn(`The watched data in ${library.path(id)} can't be read: ${errorText(error)}`);
        return [];
      }
    })
    .sort((a, b) => a.fromMs - b.fromMs);
}

/** Removes a file of a watched history. Throws `not-watched` for any other run. */
export function discardSegment(library: RunLibrary, run: RunId): void {
  const { watched, endedMs } = library.withDatabase(run, (database) => readMeta(database, 'view'));
  if (watched === undefined || endedMs === undefined)
    throw new FullhouseError('not-watched', `${run} is a run; it can be deleted in Runs.`);
  removeRunFile(library.path(run));
}
