import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { everyInterval, type Clock } from '../base/clock';

export interface RunsFolderOptions {
  readonly clock: Clock;
  readonly folder: string;
  /** The id of a run that this engine writes: its changes are known. */
  readonly ownRun: () => string | undefined;
  readonly onChange: () => void;
}

const everyMs = 2000;
/** Clocks of file systems may have steps of 1 to 2 s. */
const settledAfterMs = 5000;
/** Of so many readings of a folder at rest one is complete. */
const completeEvery = 15;
const extension = '.fullhouse';

/**
 * Notices runs that other programs, such as the command line, write to the folder of runs or remove from it. A run that
 * is still being written is reported once it rests. Returns the end of it.
 */
export function watchRunsFolder({ clock, folder, ownRun, onChange }: RunsFolderOptions): () => void {
  /** What was reported, and what the last reading found: by name, with a mark of its content. */
  let known: ReadonlyMap<string, string> | undefined;
  let last: ReadonlyMap<string, string> = new Map();
  let isReading = false;
  let isSecond = false;
  let readAtChangeMs: number | undefined;
  let isResting = false;
  let skipped = 0;

  async function read(): Promise<void> {
    // Writing and ending a run create and remove files beside it, which changes the folder: a list of thousands costs
    // nothing while no run is written.
    const changedMs = await stat(folder).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
    const isSettled = changedMs !== undefined && Math.abs(clock.wall() - changedMs) > settledAfterMs;
    skipped = isResting && isSettled && changedMs === readAtChangeMs ? skipped + 1 : 0;
    // A file that was overwritten in place is found by a complete reading.
    if (skipped % completeEvery > 0) return;
    readAtChangeMs = changedMs;
    const found = await marksOf(folder, ownRun());
    const resting = new Map([...found].filter(([name, mark]) => last.get(name) === mark));
    isResting = resting.size === found.size;
    last = found;
    // The first readings are what the list has anyway; what is still being written is reported when it rests.
    if (!known) {
      isResting = false;
      known = isSecond ? resting : undefined;
      isSecond = true;
      return;
    }
    const own = ownRun();
    const next = new Map(
      [...known].filter(([name]) => found.has(name) || (own !== undefined && name === `${own}${extension}`)),
    );
    const isGone = next.size < known.size;
    let isNew = false;
    for (const [name, mark] of resting) {
      if (next.get(name) === mark) continue;
      next.set(name, mark);
      isNew = true;
    }
    known = next;
    if (isNew || isGone) onChange();
  }

  return everyInterval(clock, everyMs, () => {
    // A folder on a disk that does not answer is read once.
    if (isReading) return;
    isReading = true;
    read()
      .catch(() => undefined)
      .finally(() => (isReading = false));
  });
}

/** Size and time of change of each run's files, by the name of the run's file. */
async function marksOf(folder: string, own: string | undefined): Promise<Map<string, string>> {
  const marks = new Map<string, string>();
  const names = await readdir(folder).catch(() => []);
  for (const name of names.sort()) {
    const end = name.indexOf(extension);
    if (end < 0) continue;
    const run = name.slice(0, end + extension.length);
    if (own !== undefined && run === `${own}${extension}`) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found) marks.set(run, `${marks.get(run) ?? ''} ${name.slice(run.length)} ${found.size} ${found.mtimeMs}`);
  }
  return marks;
}
