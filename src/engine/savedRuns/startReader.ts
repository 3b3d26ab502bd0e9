import { systemClock, type Clock } from '../base/clock';
import { forkModule } from '../base/program';
import type { ToReader } from './messages';
import type { ToWriter } from './writing/messages';

/** A process that reads run files, or writes one, as seen by the engine. */
export interface ReaderProcess {
  /** Undefined until the system has reported it. */
  readonly pid: number | undefined;
  send(message: ToReader | ToWriter): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once; `how` is the kind of end, such as `SIGABRT` or `exit code 1`. */
  onExit(listener: (how: string) => void): void;
  /** Ends it, and waits for it no longer: the end of a process that waits for a disk waits for that too. */
  kill(): void;
}
export type StartReader = () => ReaderProcess;

/**
 * Heap limit of a reader's JavaScript, MB; memory outside of it is limited by `Lane`. `gc` closes files, see
 * `serveJobs`.
 */
export const readerFlags = ['--max-old-space-size=1024', '--expose-gc'];

/** The environment variables of a reader or writer: date format, temporary and home folder, and no secrets. */
const readerVariables = ['TZ', 'LANG', 'LC_ALL', 'TMPDIR', 'TEMP', 'TMP', 'HOME', 'USERPROFILE', 'SystemRoot'];

/** One that has not ended by then waits for a disk. */
const endsWithinMs = 2000;

/** The environment of a reader. */
export function readerEnvironment(): Record<string, string> {
  const known = readerVariables.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** Readers as children of this Node.js process. `program` is the bundle of `readerProcess.ts`. */
export function readersByFork(program: string, clock: Clock = systemClock): StartReader {
  return () => {
    const child = forkModule(program, {
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
      kill: () => {
        child.kill('SIGKILL');
        const cancel = clock.after(endsWithinMs, () => child.unref());
        child.once('exit', cancel);
        if (child.connected) child.disconnect();
      },
    };
  };
}
