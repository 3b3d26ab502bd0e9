import { readdirSync, readFileSync, statSync } from 'node:fs';

/** A program, as others of the machine may see it. */
export interface SeenProgram {
  readonly pid: number;
  readonly user: number;
  readonly name: string;
  readonly args: string;
  /** Empty if it can't be read. */
  readonly environment: string;
}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return ''; // it has ended, or belongs to another user
  }
};

/** All programs of the machine except this one. */
export const allPrograms = (): SeenProgram[] => programs(() => true).filter(({ pid }) => pid !== process.pid);

/** All programs that this process has started, with what they have started in turn. */
export function programsBelow(root = process.pid): SeenProgram[] {
  return programs((pid, parents) => {
    for (let at = parents.get(pid); at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
    return false;
  });
}

function programs(isWanted: (pid: number, parents: ReadonlyMap<number, number>) => boolean): SeenProgram[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(
    pids.map((pid) => {
      const stat = textOf(`/proc/${pid}/stat`);
      return [Number(pid), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])] as const;
    }),
  );
  const wanted = [...parents.keys()].filter((pid) => isWanted(pid, parents));
  return wanted.flatMap((pid) => {
    const name = textOf(`/proc/${pid}/comm`).trim();
    const user = statSync(`/proc/${pid}`, { throwIfNoEntry: false })?.uid;
    if (name === '' || user === undefined) return [];
    return [{ pid, user, name, args: textOf(`/proc/${pid}/cmdline`), environment: textOf(`/proc/${pid}/environ`) }];
  });
}
