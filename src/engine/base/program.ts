import {
  execFileSync,
  fork,
  spawn,
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  type ForkOptions,
  type SpawnOptions,
  type SpawnOptionsWithoutStdio,
} from 'node:child_process';
import { systemClock } from './clock';
import { seconds } from './sentences';

/**
 * All programs of this machine are started here. Arguments are visible to every user of the machine, and the
 * environment to the program and all that it starts: so a secret is in neither. It is passed by standard input, by
 * another pipe, or in a file of a private folder.
 */
export type { ChildProcess, ChildProcessWithoutNullStreams };

interface ProgramOptions {
  /** Variables beside the environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** One that we chose, and not the user: it gets the environment of tools. */
  readonly isTool?: boolean;
  /** Variables with such a value are left out as well. */
  readonly isSecret?: (value: string) => boolean;
  /** A program that takes longer is ended. */
  readonly timeoutMs: number;
  /** One that writes more is ended; default 1 MiB. */
  readonly maxBytes?: number;
  /** Its current folder. */
  readonly cwd?: string;
  /** Its standard input; default: none. */
  readonly input?: string;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** One that takes too long is not asked to end, which it might ignore. */
  readonly isKilled?: boolean;
}

/** What programs need to find their files, to print text and to show a window. */
export const passedOn: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TEMP', 'TMP'],
  ...['LD_LIBRARY_PATH', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'],
  ...['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT'],
  // Of the agent's runtime.
  ...['GOGC', 'GOMEMLIMIT', 'GOMAXPROCS', 'GODEBUG', 'GOTRACEBACK', 'GOCOVERDIR', 'GORACE'],
  ...['USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)'],
]);
/** The locale, and folders of the desktop. */
export const passedStarts: readonly string[] = ['LC_', 'DYLD_', 'XDG_'];

/** The environment of our own tools: of all variables, any may be a secret that a plan refers to. */
export function toolEnvironment(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const isPassed = (name: string): boolean =>
    passedOn.has(process.platform === 'win32' ? name.toUpperCase() : name) ||
    passedStarts.some((start) => name.startsWith(start));
  return Object.fromEntries(Object.entries(variables).filter(([name]) => isPassed(name)));
}

/** Starts one of our own tools, without a shell. Variables of `options` are added to its environment. */
export function startProgram(
  program: string,
  args: readonly string[],
  options?: SpawnOptionsWithoutStdio,
): ChildProcessWithoutNullStreams;
export function startProgram(program: string, args: readonly string[], options: SpawnOptions): ChildProcess;
export function startProgram(program: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  return spawn(program, args, { windowsHide: true, ...options, env: { ...toolEnvironment(), ...options.env } });
}

/** Output of a small tool, for which this process waits. Throws when it fails or takes too long. */
export function outputNow(program: string, args: readonly string[], timeoutMs: number): string {
  return execFileSync(program, args, { encoding: 'utf8', timeout: timeoutMs, env: toolEnvironment() });
}

/** Starts a module of our own in another Node.js process, with this environment only. */
export function forkModule(module: string, options: ForkOptions & { readonly env: NodeJS.ProcessEnv }): ChildProcess {
  return fork(module, [], options);
}

/**
 * The environment for programs that the user has named, which may need any variable: without those of Fullhouse, its
 * secrets, and without values that the engine knows as secrets.
 */
export function environment(isSecret: (value: string) => boolean = () => false): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name, value = '']) => !name.startsWith('FULLHOUSE_') && (value === '' || !isSecret(value)),
    ),
  );
}

/**
 * Runs a program with its arguments, without a shell; resolves with its output. Rejects with why it failed and the last
 * line of its errors.
 */
export function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  {
    variables,
    isTool = false,
    isSecret,
    timeoutMs,
    maxBytes = 1024 * 1024,
    cwd,
    input,
    signal,
    isKilled,
  }: ProgramOptions,
): Promise<string> {
  const env = { ...(isTool ? toolEnvironment() : environment(isSecret)), ...variables };
  const killSignal = isKilled ? ('SIGKILL' as const) : ('SIGTERM' as const);
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(new Error('it was cancelled.'));
    // Without outputs when it could not be started.
    const child: ChildProcess = spawn(program, args, { env, cwd, windowsHide: true, detached: hasGroups });
    let ended: string | undefined;
    let failure: NodeJS.ErrnoException | undefined;
    const end = (why: string): void => {
      // What a program that is over has left running is not ended: it may be meant to stay.
      if (killGroup(child, killSignal)) ended ??= why;
      // Such a rest holds them open.
      for (const stream of child.stdio) stream?.destroy();
    };
    const cancelLimit = systemClock.after(timeoutMs, () => end(`it took longer than ${seconds(timeoutMs)}`));
    const abort = (): void => end('it was cancelled');
    signal?.addEventListener('abort', abort);
    const [output, errors] = [child.stdout, child.stderr].map((stream) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      stream?.on('data', (part: Buffer) => {
        parts.push(part);
        bytes += part.length;
        if (bytes <= maxBytes) return;
        ended ??= `it wrote more than ${maxBytes} bytes`;
        end(ended);
      });
      return () => Buffer.concat(parts).toString();
    });
    const finish = (code: number | null, by: NodeJS.Signals | null): void => {
      running.delete(child);
      cancelLimit();
      signal?.removeEventListener('abort', abort);
      if (!failure && ended === undefined && code === 0) return resolve(output?.() ?? '');
      const [line = ''] = (errors?.() ?? '').trim().split('\n').slice(-1);
      const why =
        ended ??
        (failure?.code === 'ENOENT'
          ? 'the program does not exist'
          : `it ended with ${String(failure?.code ?? code ?? by)}`);
      reject(new Error(`${why}${line ? `: ${line.slice(0, 200)}` : ''}.`));
    };
    child.on('error', (error) => {
      failure ??= error;
      if (child.pid === undefined) finish(null, null);
    });
    child.on('close', finish);
    running.add(child);
    // One that ends before it has read its input reports that by its exit.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** A program of Windows has no group of processes. */
const hasGroups = process.platform !== 'win32';

/** A program in a group of its own does not end with this process by itself. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) killGroup(child, 'SIGTERM');
});

/** Ends a program with all that it has started: a shell alone would leave the program that it waits for. */
function killGroup({ pid, exitCode, signalCode }: ChildProcess, signal: NodeJS.Signals): boolean {
  if (pid === undefined || (exitCode ?? signalCode) !== null) return false;
  try {
    return process.kill(hasGroups ? -pid : pid, signal);
  } catch {
    return false; // it has ended
  }
}
