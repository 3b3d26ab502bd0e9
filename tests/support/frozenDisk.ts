import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readdirSync, readlinkSync, ftruncateSync } from 'node:fs';
import { join } from 'node:path';

/** A disk that can be made to answer nothing, as a network file system whose server is gone. */
export interface FreezableDisk {
  readonly folder: string;
  /** What freezes: the file system itself, or where that is not possible the process that writes to it. */
  readonly how: 'file system' | 'process';
  freeze(): void;
  thaw(): void;
  remove(): void;
}

const maxFrozenSeconds = 60;

const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe' });

/**
 * A file system of its own at `folder`, its image in `within`, frozen by fsfreeze. Where this user may not mount one, the process of `parent`
 * that writes run files is stopped instead, which is the same to its parent: no answer, and no end.
 */
export function freezableDisk(within: string, parent: number, folder = join(within, 'disk')): FreezableDisk {
  mkdirSync(folder, { recursive: true });
  try {
    return mounted(within, folder);
  } catch {
    let stopped: number[] = [];
    const signal = (name: 'SIGSTOP' | 'SIGCONT'): void => stopped.forEach((pid) => process.kill(pid, name));
    return {
      ...{ folder, how: 'process' },
      freeze: () => {
        stopped = writersOf(parent);
        if (stopped.length === 0) throw new Error('No process of the engine has a run file open.');
        signal('SIGSTOP');
      },
      thaw: () => {
        signal('SIGCONT');
        stopped = [];
      },
      remove: () => undefined,
    };
  }
}

function mounted(within: string, folder: string): FreezableDisk {
  const image = join(within, 'disk.img');
  const file = openSync(image, 'w');
  ftruncateSync(file, 64 << 20);
  closeSync(file);
  run('mkfs.ext4', '-q', '-F', image);
  run('mount', '-o', 'loop', image, folder);
  run('rmdir', join(folder, 'lost+found'));
  // A test whose own process waits for the disk could not thaw it.
  let guard: ChildProcess | undefined;
  const thaw = (): void => {
    if (!guard) return;
    guard.kill();
    guard = undefined;
    run('fsfreeze', '-u', folder);
  };
  const disk: FreezableDisk = {
    ...{ folder, how: 'file system' },
    freeze: () => {
      guard = spawn('sh', ['-c', `sleep ${maxFrozenSeconds} && fsfreeze -u "$0"`, folder], { stdio: 'ignore' });
      run('fsfreeze', '-f', folder);
    },
    thaw,
    remove: () => {
      thaw();
      run('umount', '-l', folder);
    },
  };
  try {
    disk.freeze();
    thaw();
    return disk;
  } catch (error) {
    disk.remove();
    throw error;
  }
}

/** Child processes that have a run file open. */
function writersOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = run('cat', `/proc/${pid}/stat`);
        if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) !== parent) return false;
        return readdirSync(`/proc/${pid}/fd`).some((fd) =>
          readlinkSync(`/proc/${pid}/fd/${fd}`).includes('.fullhouse'),
        );
      } catch {
        return false; // it ended meanwhile
      }
    });
}
