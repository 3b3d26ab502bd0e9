import { fork } from 'node:child_process';
import type { ToReader } from './messages';

/** A process that reads run files, as the engine sees it. */
export interface ReaderProcess {
  /** Undefined until the system has said it. */
  readonly pid: number | undefined;
  send(message: ToReader): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once; `how` names the end, such as `SIGABRT` or `exit code 1`. */
  onExit(listener: (how: string) => void): void;
  kill(): void;
}
export type StartReader = () => ReaderProcess;

/** What a reader's JavaScript may hold, MB; bytes outside of that are bounded by `Lane`. `gc` closes files, see `serveJobs`. */
export const readerFlags = ['--max-old-space-size=1024', '--expose-gc'];

/** What a reader may see of the environment: how to write dates and where temporary files go, and no secret. */
const readerVariables = ['TZ', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];

/** The environment of a reader. */
export function readerEnvironment(): Record<string, string> {
  const known = readerVariables.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(known.filter((each): each is [string, string] => each[1] !== undefined));
}

/** Readers as children of this Node.js process. `program` is the bundle of `readerProcess.ts`. */
export function readersByFork(program: string): StartReader {
  return () => {
    const child = fork(program, [], {
      serialization: 'advanced',
      execArgv: readerFlags,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: readerEnvironment(),
    });
    return {
      get pid() {
        return child.pid;
      },
      send: (message) => void child.send(message, () => undefined),
      onMessage: (listener) => void child.on('message', listener),
      onExit: (listener) => {
        let isOver = false;
        const once = (how: string): void => {
          if (!isOver) listener(how);
          isOver = true;
        };
        child.once('error', (error) => once(error.message));
        child.once('exit', (code, signal) => once(signal ?? `exit code ${code ?? 0}`));
      },
      kill: () => void child.kill('SIGKILL'),
    };
  };
}
