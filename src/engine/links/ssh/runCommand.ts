import { pipeline, type Readable } from 'node:stream';
import { FullhouseError } from '../../../contract/calls';
import { LineSplitter, maxLineCharacters } from './lineSplitter';
import { endlessShell, noShell, startCommand, type CommandContext, type OpenCommand } from './remoteCommand';
import type { SshCommand, SshResult } from './sshLink';

export interface RunOptions {
  readonly input?: string | Buffer | Readable;
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

const defaultTimeoutMs = 60_000;
const defaultMaxBytes = 16 * 1024 * 1024;
const maxErrorBytes = 16 * 1024;

/**
 * Runs one program until it ends. Rejects with `timeout`, `too-long` or `aborted` and then ends the program; a broken
 * link is a result with code null.
 */
export async function runCommand(
  place: CommandContext,
  argv: readonly string[],
  options: RunOptions,
): Promise<SshResult> {
  const { who, clock } = place;
  const { signal, timeoutMs = defaultTimeoutMs, maxBytes = defaultMaxBytes } = options;
  const program = argv[0] ?? '';
  const aborted = (): FullhouseError => new FullhouseError('aborted', `${who}: "${program}" was ended.`);
  if (signal?.aborted) throw aborted();
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  let bytes = 0;
  let fail: (error: FullhouseError) => void = () => undefined;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  failed.catch(() => undefined); // there may be no handler yet
  const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else fail(new FullhouseError('too-long', `${who}: "${program}" printed more than ${maxBytes} bytes.`));
  };
  const cancelLimit = clock.after(timeoutMs, () =>
    fail(new FullhouseError('timeout', `${who}: "${program}" did not end within ${timeoutMs / 1000} s.`)),
  );
  const onAbort = (): void => fail(aborted());
  signal?.addEventListener('abort', onAbort);
  let command: OpenCommand | undefined;
  const starting = startCommand(place, argv, { stdout: keep(stdout), stderr: keep(stderr) });
  try {
    command = await Promise.race([starting, failed]);
    place.running.add(command);
    feed(command, options.input, (error) =>
      fail(new FullhouseError('no-file', `${who}: the file to send can't be read: ${error.message}.`)),
    );
    const end = await Promise.race([command.ended, failed]);
    if (end.isEndless) throw endlessShell(who);
    if (!end.started && end.code !== null) throw noShell(place, end);
    return {
      code: end.code,
      ...(end.signal && { signal: end.signal }),
      stdout: Buffer.concat(stdout).toString(),
      stderr: Buffer.concat(stderr).toString(),
    };
  } catch (error) {
    // One that starts only now is ended, too.
    starting.then(
      (late) => late.stop(),
      () => undefined,
    );
    throw error;
  } finally {
    cancelLimit();
    signal?.removeEventListener('abort', onAbort);
    if (command) place.running.delete(command);
  }
}

function feed(command: OpenCommand, input: RunOptions['input'], failed: (error: Error) => void): void {
  if (input === undefined || typeof input === 'string' || Buffer.isBuffer(input)) command.input.end(input);
  else pipeline(input.on('error', failed), command.input, () => undefined); // the program's end says the rest
}

/** Runs a program whose output is read line by line until it ends or is ended. */
export async function followCommand(
  place: CommandContext,
  argv: readonly string[],
  listeners: { readonly line: (line: string) => void; readonly errorLine?: (line: string) => void },
): Promise<SshCommand> {
  let lastErrors = '';
  let stop = (): void => undefined;
  const tooLong = (): void => {
    lastErrors += `A line was longer than ${maxLineCharacters} characters.\n`;
    stop();
  };
  const lines = new LineSplitter(listeners.line, maxLineCharacters, tooLong);
  const errorLines = new LineSplitter(
    (line) => {
      lastErrors = `${lastErrors}${line}\n`.slice(-maxErrorBytes);
      listeners.errorLine?.(line);
    },
    maxLineCharacters,
    tooLong,
  );
  const started = await startCommand(place, argv, {
    stdout: (chunk) => lines.push(chunk),
    stderr: (chunk) => errorLines.push(chunk),
  });
  stop = () => started.stop();
  place.running.add(started);
  const ended = started.ended.then((end): SshResult => {
    place.running.delete(started);
    lines.finish();
    errorLines.finish();
    const fault = end.isEndless
      ? endlessShell(place.who)
      : !end.started && end.code !== null
        ? noShell(place, end)
        : undefined;
    return {
      code: end.code,
      ...(end.signal && { signal: end.signal }),
      ...(fault && { notStarted: fault.message }),
      stdout: '',
      stderr: fault?.message ?? lastErrors,
    };
  });
  return {
    write: (text) => {
      if (started.input.writable) started.input.write(text);
    },
    end: () => {
      started.input.end();
      const cancel = place.clock.after(endTimeoutMs, () => started.stop());
      void ended.then(cancel);
    },
    ended,
  };
}

/** A program that ends when its input does has this long for it. */
const endTimeoutMs = 500;
