import { existsSync, lstatSync, lutimesSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { runId } from '../../contract/schemas';
import { belongsTo, foreignFolder, ownUser } from '../ownFiles';
import { writeFailure } from './failure';
import { fileExtension } from './schema';

const keptMs = 7 * 24 * 60 * 60 * 1000;
/** A run that another process left open may have these beside it; they belong to it. */
const besides = ['', '-wal', '-shm'];

/** Deleted runs, kept for a week so that a delete can be undone. A file's time of change is its time of deletion. */
export class Trash {
  constructor(
    private readonly folder: string,
    private readonly now: () => number,
    private readonly user: number | undefined = ownUser(),
  ) {}

  /** Takes a run's file; one of the same name that lies there already is replaced. */
  take(path: string): void {
    this.requireOwn();
    makeFolder(this.folder);
    const kept = join(this.folder, basename(path));
    move(path, kept, "The run can't be moved to the trash");
    lutimesSync(kept, this.now() / 1000, this.now() / 1000);
  }

  /** Moves a run's file back to where it was. */
  giveBack(path: string): void {
    this.requireOwn();
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

  /** Removes for good the run files of this user that lie here for more than a week. */
  empty(): void {
    if (!existsSync(this.folder) || foreignFolder(this.folder, this.user) !== undefined) return;
    for (const name of readdirSync(this.folder).filter(isOfRun)) {
      const path = join(this.folder, name);
      // The entry itself: what a link leads to is another's, however old it is.
      const stat = lstatSync(path, { throwIfNoEntry: false });
      const isOld = stat?.isFile() && belongsTo(stat, this.user) && stat.mtimeMs < this.now() - keptMs;
      if (isOld) rmSync(path, { force: true });
    }
  }

  private requireOwn(): void {
    const problem = foreignFolder(this.folder, this.user);
    if (problem !== undefined)
      throw new FullhouseError(
        'bad-trash',
        `The trash can't be used: ${problem}. Remove it, then try again.`,
      );
  }
}

function isOfRun(name: string): boolean {
  const beside = besides.find((each) => name.endsWith(fileExtension + each));
  return (
    beside !== undefined && runId.safeParse(name.slice(0, -(fileExtension.length + beside.length))).success
  );
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw writeFailure(error, "The run can't be moved to the trash");
  }
}

function move(from: string, to: string, what: string): void {
  try {
    for (const beside of besides) if (existsSync(from + beside)) renameSync(from + beside, to + beside);
  } catch (error) {
    throw writeFailure(error, what);
  }
}
