import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The surroundings of one fault: folders that contain all files of its processes, and a mark on these. */
export interface Drill {
  readonly folder: string;
  /** Folder of the runs. */
  readonly out: string;
  /** The user's home, and the folder for temporary files. */
  readonly home: string;
  readonly temporary: string;
  readonly env: NodeJS.ProcessEnv;
  /** `NAME=VALUE` in the environment of its processes: the only variable of its own that all child processes inherit. */
  readonly mark: string;
  /** Undone in reverse order by `end`, whatever the result. */
  later(act: () => unknown): void;
  end(): Promise<void>;
}

export function newDrill(): Drill {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-drill-'));
  const [out, home, temporary] = ['out', 'home', 'tmp'].map((name) => join(folder, name)) as [string, string, string];
  for (const each of [out, home, temporary]) mkdirSync(each);
  const undo: Array<() => unknown> = [() => rmSync(folder, { recursive: true, force: true })];
  return {
    ...{ folder, out, home, temporary },
    env: { ...withoutUserFolders(process.env), HOME: home, TMPDIR: temporary },
    mark: `TMPDIR=${temporary}`,
    later: (act) => void undo.push(act),
    end: async () => {
      for (const act of undo.splice(0).reverse()) await act();
    },
  };
}

/** Folders of the user that do not follow HOME. */
function withoutUserFolders(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('XDG_')));
}
