import { writeFileSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import { systemClock } from '../base/clock';
import { collectGarbage } from '../base/collectGarbage';
import { openRunLibrary, type RunLibrary } from '../store';
import { stampOf } from '../store/stamp';
import { type JobName, jobs, type LibraryOf } from './jobs';
import type { OpenedFile } from './markerFile';
import { type FromReader, toReader, type ToReader } from './messages';
import { errorText } from '../../domain/text/errorText';

const progressEveryMs = 500;

/** Serves the jobs of a channel, in the process that may be lost to a bad file. */
export function serveJobs(answer: (message: FromReader) => void): (message: unknown) => void {
  let current: ToReader | undefined;
  const libraries = new Map<string, RunLibrary>();

  const onOpening = (path: string): void => {
    if (!current) return;
    const known = current.quarantined[path];
    if (known && known.stamp === stampOf(path)) throw new FullhouseError('damaged-run', known.sentence);
    noteOpening(current.markerFile, path);
  };
  let saidMs = 0;
  const onProgress = (done: number, total: number): void => {
    const nowMs = systemClock.now();
    if (!current || nowMs - saidMs < progressEveryMs) return;
    saidMs = nowMs;
    answer({ kind: 'progress', id: current.id, done, total });
  };
  const libraryOf = (folder: string): RunLibrary => {
    const library = libraries.get(folder) ?? openRunLibrary(folder, { onOpening, onProgress });
    libraries.set(folder, library);
    return library;
  };
  const run = async (message: ToReader): Promise<FromReader> => {
    const { id, job, folder, input } = message;
    try {
      current = message;
      noteOpening(message.markerFile, '');
      if (!Object.hasOwn(jobs, job)) throw new FullhouseError('unknown-job', `Unknown job "${job}".`);
      const act = jobs[job as JobName] as (library: RunLibrary, input: unknown, libraryOf: LibraryOf) => unknown;
      const library = libraryOf(folder);
      library.knowElsewhere(message.elsewhere ?? {});
      return { kind: 'result', id, value: await act(library, input, libraryOf) };
    } catch (error) {
      const code = error instanceof FullhouseError ? error.code : 'internal';
      return { kind: 'error', id, code, message: errorText(error) };
    } finally {
      current = undefined;
      noteOpening(message.markerFile, '');
      // A closed connection keeps its file open until its statements are collected, and the writer of a run waits for
      // that.
      collectGarbage();
    }
  };
  // One at a time: a job whose library is asynchronous must not open files while the marker names another.
  let last = Promise.resolve();
  return (message) => {
    const parsed = toReader.safeParse(message);
    if (parsed.success) last = last.then(async () => answer(await run(parsed.data)));
  };
}

/**
 * Records in the reader which run file is about to be opened; empty: none. On a full disk nothing is recorded, and a
 * file that ends its reader remains unknown.
 */
function noteOpening(markerFile: string, path: string): void {
  try {
    const openedFile: OpenedFile = { path, stamp: path === '' ? '' : stampOf(path) };
    writeFileSync(markerFile, JSON.stringify(openedFile));
  } catch {
    // Reading a run matters more than the name of a damaged one.
  }
}
