import { execFile } from 'node:child_process';
import { seconds } from './sentences';

interface ProgramOptions {
  /** Variables beside the environment, of which those of Fullhouse (its secrets) are left out. */
  readonly variables: Readonly<Record<string, string>>;
  /** A program that takes longer is ended. */
  readonly timeoutMs: number;
  /** One that writes more is ended; default 1 MiB. */
  readonly maxBytes?: number;
  /** Its current folder. */
  readonly cwd?: string;
  /** Ends it. */
  readonly signal?: AbortSignal;
}

/** The environment for other programs: without the variables of Fullhouse, its secrets. */
export function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('FULLHOUSE_')));
}

/**
 * Runs a program with its arguments, without a shell; resolves with its output. Rejects with why it failed and the last
 * line of its errors.
 */
export function runProgram(
  [program, ...args]: readonly [string, ...string[]],
  { variables, timeoutMs, maxBytes = 1024 * 1024, cwd, signal }: ProgramOptions,
): Promise<string> {
  const env = { ...environment(), ...variables };
  const options = { env, timeout: timeoutMs, maxBuffer: maxBytes, windowsHide: true, cwd, signal };
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
    child.stdin?.end();
  });
}
