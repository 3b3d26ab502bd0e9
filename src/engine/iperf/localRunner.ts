import { StringDecoder } from 'node:string_decoder';
import { FullhouseError } from '../../contract/calls';
import { systemClock, type Clock } from '../base/clock';
import { startProgram, type ChildProcess } from '../base/program';
import type { CommandResult, CommandRunner, RunningCommand } from './commandRunner';
import { LineSplitter, maxLineCharacters } from '../links/ssh/lineSplitter';

const defaultTimeoutMs = 30_000;
const defaultMaxBytes = 4_000_000;
/** Time to end after SIGTERM before a program is killed. */
const killDelayMs = 2000;
/** As in a shell. */
const codeNotFound = 127;

/** Runs programs on this machine, without a shell. A missing program ends with code 127, as over SSH. */
export function localRunner(who: string, clock: Clock = systemClock): CommandRunner {
  return {
    who,
    isLocal: true,
    run: async (argv, options = {}) => {
      const { input, timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes, signal } = options;
      const child = start(argv);
      const volumeProblem = new FullhouseError('too-long', `${argv[0]} on ${who} wrote more than ${maxBytes} bytes.`);
      const late = new FullhouseError(
        'timeout',
        `${argv[0]} on ${who} did not end within ${Math.round(timeoutMs / 1000)} s.`,
      );
      const off = new FullhouseError('aborted', `${argv[0]} on ${who} was cancelled.`);
      let fault: FullhouseError | undefined;
      const give = (error: FullhouseError): void => {
        fault ??= error;
        endProgram(child, clock);
      };
      let bytes = 0;
      const collect = (chunk: Buffer): void => {
        bytes += chunk.length;
        if (bytes > maxBytes) give(volumeProblem);
      };
      child.stdout?.on('data', collect);
      child.stderr?.on('data', collect);
      const result = ended(child);
      const cancelLimit = clock.after(timeoutMs, () => give(late));
      const abort = (): void => give(off);
      signal?.addEventListener('abort', abort);
      if (signal?.aborted) abort();
      child.stdin?.end(input);
      try {
        const answer = await result;
        if (fault) throw fault;
        return answer;
      } finally {
        cancelLimit();
        signal?.removeEventListener('abort', abort);
      }
    },
    follow: (argv, listeners) => {
      const child = start(argv);
      takeLines(child.stdout, listeners.line);
      takeLines(child.stderr, listeners.errorLine ?? (() => undefined));
      const command: RunningCommand = {
        write: (text) => void child.stdin?.write(text),
        end: () => endProgram(child, clock),
        ended: ended(child, false),
      };
      return Promise.resolve(command);
    },
  };
}

function start(argv: readonly string[]): ChildProcess {
  const [program = '', ...args] = argv;
  const child = startProgram(program, args);
  child.stdin?.on('error', () => undefined); // a program that ended before it read its input reports that by its exit
  return child;
}

function endProgram(child: ChildProcess, clock: Clock): void {
  child.stdin?.end();
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  clock.after(killDelayMs, () => child.kill('SIGKILL'), 'background');
}

/** `isKept`: whether the output is needed at the end; output read line by line would only pile up. */
function ended(child: ChildProcess, isKept = true): Promise<CommandResult> {
  const output = { stdout: '', stderr: '' };
  for (const name of isKept ? (['stdout', 'stderr'] as const) : []) {
    const decoder = new StringDecoder('utf8');
    child[name]?.on('data', (chunk: Buffer) => {
      output[name] += decoder.write(chunk);
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({
        code: error.code === 'ENOENT' ? codeNotFound : null,
        stdout: output.stdout,
        stderr: error.message,
      }),
    );
    child.once('close', (code, signal) => resolve({ code, signal: signal ?? undefined, ...output }));
  });
}

function takeLines(stream: NodeJS.ReadableStream | null, take: (line: string) => void): void {
  const lines = new LineSplitter(take, maxLineCharacters, () => undefined);
  stream?.on('data', (chunk: Buffer) => lines.push(chunk));
  stream?.on('end', () => lines.finish());
}
