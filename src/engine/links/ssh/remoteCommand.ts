import type { Client, ClientChannel } from 'ssh2';
import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../base/clock';
import { OutputAfterMark, markedCommand, newMark } from './preamble';
import { quoteCommand } from './quote';

/** How a remote program ended; `code` is null if a signal or a broken link ended it. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal?: string;
  /** Whether the program ran at all, or only the shell's start files. */
  readonly started: boolean;
  /** The shell's output when it did not run the program. */
  readonly noise: string;
  /** The shell printed more than any start files do without running the program, and was ended. */
  readonly isEndless: boolean;
}

export interface OpenCommand {
  readonly channel: ClientChannel;
  /** Never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** Ends the program (SIGTERM, then SIGKILL after 2 s) and closes its channel. */
  stop(): void;
  /** The link is gone: no more output will arrive. */
  abandon(): void;
}

/** What a command runs on: the connection, the node's name, and the commands that are running. */
export interface CommandContext {
  readonly client: Client;
  readonly who: string;
  readonly running: Set<OpenCommand>;
  /** Whether the connection is open. */
  readonly isLive: () => boolean;
  readonly clock: Clock;
}

export interface CommandOutput {
  readonly stdout: (chunk: Buffer) => void;
  readonly stderr: (chunk: Buffer) => void;
}

/** Starts a program through the login shell. Rejects with a message when the server opens no channel for it. */
export function startCommand(
  place: CommandContext,
  argv: readonly string[],
  output: CommandOutput,
): Promise<OpenCommand> {
  const { client } = place;
  const mark = newMark();
  const line = markedCommand(mark, quoteCommand(argv));
  return new Promise((resolve, reject) => {
    try {
      client.exec(line, (error, channel) => {
        if (error) reject(sessionFailure(place, error));
        else resolve(opened(client, channel, mark, output));
      });
    } catch (error) {
      reject(sessionFailure(place, error as Error));
    }
  });
}

function opened(client: Client, channel: ClientChannel, mark: string, output: CommandOutput): OpenCommand {
  const stdout = new OutputAfterMark(mark);
  const stderr = new OutputAfterMark(mark);
  let abandon = (): void => undefined;
  const ended = new Promise<CommandEnd>((resolve) => {
    let exit: { code: number | null; signal?: string } = { code: null };
    const finish = (): void =>
      resolve({
        ...exit,
        started: stdout.seen,
        noise: `${stdout.noise}\n${stderr.noise}`.trim(),
        isEndless: stdout.isEndless || stderr.isEndless,
      });
    abandon = finish;
    channel.on('exit', (code: number | null, signal?: string) => {
      exit = { code, ...(signal && { signal }) };
    });
    channel.on('close', finish);
    channel.on('error', finish);
  });
  channel.stderr.on('error', () => undefined); // reported by the channel's own end
  const stop = (): void => {
    if (channel.writable) channel.signal('TERM');
    if (stdout.pid !== undefined) endGroup(client, stdout.pid);
    channel.close();
    // The server confirms only when the program has ended; a program that ignores the close is not waited for.
    abandon();
  };
  const received = (stream: OutputAfterMark, chunk: Buffer, take: (chunk: Buffer) => void): void => {
    if (stream.isEndless) return;
    give(stream.take(chunk), take);
    if (stream.isEndless) stop();
  };
  channel.on('data', (chunk: Buffer) => received(stdout, chunk, output.stdout));
  channel.stderr.on('data', (chunk: Buffer) => received(stderr, chunk, output.stderr));
  return { channel, ended, stop, abandon: () => abandon() };
}

/**
 * Closing a channel ends no program, and sshd passes signals on neither for root nor before release 7.9. So
 * a separate command ends the process group.
 */
function endGroup(client: Client, pid: number): void {
  // Without POSIX's --: dash does not support it.
  const script = `kill -TERM -${pid} && sleep 2 && kill -KILL -${pid}`;
  try {
    client.exec(quoteCommand(['sh', '-c', script]), (error, channel) => {
      if (error) return; // no session left, or the link is gone: the program ends at its next write
      channel.on('error', () => undefined).resume();
      channel.stderr.resume();
      channel.end();
    });
  } catch {
    // the link is gone, and with it the program's input and output
  }
}

function give(chunk: Buffer, take: (chunk: Buffer) => void): void {
  if (chunk.length > 0) take(chunk);
}

function sessionFailure({ who, isLive }: CommandContext, error: Error & { reason?: unknown }): FullhouseError {
  if (!isLive() || error.message === 'Not connected')
    return new FullhouseError('link-lost', `${who}: the SSH connection broke before the command could start.`);
  if (error.reason !== undefined)
    return new FullhouseError(
      'too-many-sessions',
      `${who}: its sshd refused another session on this connection. Raise MaxSessions in its sshd_config, or wait until a command there has ended.`,
      { cause: error },
    );
  return new FullhouseError(
    'no-command',
    `${who}: its sshd refused to run a command for this account: ${error.message}.`,
    {
      cause: error,
    },
  );
}

/** The shell never started the program. */
export function endlessShell(who: string): FullhouseError {
  return new FullhouseError(
    'too-long',
    `${who}: its shell prints endless output before it runs a command. Check the account's start files (.bashrc, .profile) and ForceCommand in its sshd_config.`,
  );
}

/** The shell ended without running the program: an account without a login shell, or a forced command. */
export function noShell(who: string, end: CommandEnd): FullhouseError {
  const firstOutput = end.noise.split('\n').find((text) => text.trim());
  return new FullhouseError(
    'no-shell',
    `${who}: the account there can't run commands${firstOutput ? ` (${firstOutput.trim().slice(0, 200)})` : ''}. Use one with a login shell.`,
  );
}
