import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { writeFailure } from './failure';

const keptMs = 7 * 24 * 60 * 60 * 1000;
/** A run that another process left open may have these beside it; they belong to it. */
const besides = ['', '-wal', '-shm'];

/** Deleted runs, kept for a week so that a delete can be undone. A file's time of change is its time of deletion. */
export class Trash {
  constructor(
    private readonly folder: string,
    private readonly now: () => number,
  ) {}

  /** Takes a run's file; one of the same name that lies there already is replaced. */
  take(path: string): void {
    mkdirSync(this.folder, { recursive: true });
    const kept = join(this.folder, basename(path));
    move(path, kept, "The run can't be moved to the trash");
    utimesSync(kept, this.now() / 1000, this.now() / 1000);
  }

  /** Moves a run's file back to where it was. */
  giveBack(path: string): void {
    const kept = join(this.folder, basename(path));
    if (!existsSync(kept))
      throw new FullhouseError(
        'no-run',
        'This run is not in the trash any more; it is kept there for a week.',
      );
    if (existsSync(path))
      throw new FullhouseError(
        'run-exists',
        'A run of the same id is there already, so this one stays in the trash.',
      );
    move(kept, path, "The run can't be taken out of the trash");
  }

  /** Removes for good what lies here for more than a week. */
  empty(): void {
    if (!existsSync(this.folder)) return;
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      if (statSync(path).mtimeMs < this.now() - keptMs) rmSync(path);
    }
  }
}

function move(from: string, to: string, what: string): void {
  try {
    for (const beside of besides) if (existsSync(from + beside)) renameSync(from + beside, to + beside);
  } catch (error) {
    throw writeFailure(error, what);
  }
}
