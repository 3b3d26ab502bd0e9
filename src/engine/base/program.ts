import {
  execFile,
  execFileSync,
  fork,
  spawn,
  type ChildProcess,
  type ChildProcessWithoutNullStreams,
  type ForkOptions,
  type SpawnOptions,
  type SpawnOptionsWithoutStdio,
} from 'node:child_process';
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
  const options = { env, timeout: timeoutMs, maxBuffer: maxBytes, windowsHide: true, cwd, signal, killSignal };
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const [line = ''] = stderr.trim().split('\n').slice(-1);
      const why =
        error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
          ? `it wrote more than ${maxBytes} bytes`
          : error.code === 'ABORT_ERR'
            ? 'it was cancelled'
            : error.killed
              ? `it took longer than ${seconds(timeoutMs)}`
              : error.code === 'ENOENT'
                ? 'the program does not exist'
                : `it ended with ${String(error.code ?? error.signal)}`;
      reject(new Error(`${why}${line ? `: ${line.slice(0, 200)}` : ''}.`));
    });
    // One that ends before it has read its input reports that by its exit.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
