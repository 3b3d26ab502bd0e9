import { existsSync, lstatSync, lutimesSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { runId } from '../../domain/model/schema';
import { belongsTo, foreignFolder, ownUser } from '../base/ownFiles';
import { writeFailure } from './failure';

const keptMs = 7 * 24 * 60 * 60 * 1000;
/**
 * A run's file, its companion files if another process left it open, and its originals in older formats (`upgrade.ts`).
 */
const ofRun = /^(.*)\.fullhouse(-wal|-shm|\.v\d+(-\d+)?(-wal)?)?$/;

/** Deleted runs, kept for a week so that a delete can be undone. A file's ctime is its time of deletion. */
export class Trash {
  constructor(
    private readonly folder: string,
    private readonly now: () => number,
    private readonly user: number | undefined = ownUser(),
  ) {}

  /** Moves a run's file here; one of the same name is replaced. */
  take(path: string): void {
    this.requireOwn();
    makeFolder(this.folder);
    const trashed = join(this.folder, basename(path));
    for (const moved of move(path, trashed, "The run can't be moved to the trash"))
      lutimesSync(moved, this.now() / 1000, this.now() / 1000);
  }

  /** Moves a run's file back to its folder. */
  giveBack(path: string): void {
    this.requireOwn();
    const trashed = join(this.folder, basename(path));
    if (!existsSync(trashed))
      throw new FullhouseError('no-run', 'This run is no longer in the trash; runs are deleted from it after a week.');
    if (existsSync(path))
      throw new FullhouseError('run-exists', 'A run with the same id exists already, so this one stays in the trash.');
    move(trashed, path, "The run can't be restored from the trash");
  }

  /** Permanently removes this user's run files that are older than a week. */
  empty(): void {
    if (!existsSync(this.folder) || foreignFolder(this.folder, this.user) !== undefined) return;
    for (const name of readdirSync(this.folder).filter(isOfRun)) {
      const path = join(this.folder, name);
      // The entry itself: the target of a link is not ours, however old it is.
      const stat = lstatSync(path, { throwIfNoEntry: false });
      const isOld = stat?.isFile() && belongsTo(stat, this.user) && stat.mtimeMs < this.now() - keptMs;
      if (isOld) rmSync(path, { force: true });
    }
  }

  private requireOwn(): void {
    const problem = foreignFolder(this.folder, this.user);
    if (problem !== undefined)
      throw new FullhouseError('bad-trash', `The trash can't be used: ${problem}. Remove it, then try again.`);
  }
}

function isOfRun(name: string): boolean {
  return runId.safeParse(ofRun.exec(name)?.[1]).success;
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw writeFailure(error, "The run can't be moved to the trash");
  }
}

/** Moves a run with all of its files; returns their new paths. */
function move(from: string, to: string, what: string): string[] {
  try {
    const id = ofRun.exec(basename(from))?.[1];
    const names = readdirSync(dirname(from)).filter((name) => ofRun.exec(name)?.[1] === id);
    return names.map((name) => {
      const moved = join(dirname(to), name);
      renameSync(join(dirname(from), name), moved);
      return moved;
    });
  } catch (error) {
    throw writeFailure(error, what);
  }
}
