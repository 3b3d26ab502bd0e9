import type { Client, ClientChannel } from 'ssh2';
import { FullhouseError } from '../../../contract/calls';
import { AfterMark, markedCommand, newMark } from './preamble';
import { quoteCommand } from './quote';

/** How a remote program ended; `code` is null for one that a signal or a broken link ended. */
export interface CommandEnd {
  readonly code: number | null;
  readonly signal?: string;
  /** Whether the program ran at all, or only the shell's start files spoke. */
  readonly started: boolean;
  /** What the shell said when it did not run the program. */
  readonly noise: string;
  /** The shell printed more than any start files do and had not run the program: it was ended. */
  readonly isEndless: boolean;
}

export interface OpenCommand {
  readonly channel: ClientChannel;
  /** Never rejects. */
  readonly ended: Promise<CommandEnd>;
  /** Ends the program (SIGTERM, and SIGKILL for one that is there 2 s later) and closes its channel. */
  stop(): void;
  /** The link is gone: nothing will be heard any more. */
  abandon(): void;
}

/** What a command runs on: the connection, the node's name, and who has to hear of it while it runs. */
export interface CommandPlace {
  readonly client: Client;
  readonly who: string;
  readonly running: Set<OpenCommand>;
  /** Whether the connection still stands. */
  readonly isLive: () => boolean;
}

export interface CommandOutput {
  readonly stdout: (chunk: Buffer) => void;
  readonly stderr: (chunk: Buffer) => void;
}

/** Starts a program by way of the login shell. Rejects with a sentence when the server opens no channel for it. */
export function startCommand(
  place: CommandPlace,
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
  const stdout = new AfterMark(mark);
  const stderr = new AfterMark(mark);
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
  channel.stderr.on('error', () => undefined); // told by the channel's own end
  const stop = (): void => {
    if (channel.writable) channel.signal('TERM');
    if (stdout.pid !== undefined) endGroup(client, stdout.pid);
    channel.close();
    // The server confirms only when the program has ended; one that ignores that is not waited for.
    abandon();
  };
  const heard = (stream: AfterMark, chunk: Buffer, take: (chunk: Buffer) => void): void => {
    if (stream.isEndless) return;
    give(stream.take(chunk), take);
    if (stream.isEndless) stop();
  };
  channel.on('data', (chunk: Buffer) => heard(stdout, chunk, output.stdout));
  channel.stderr.on('data', (chunk: Buffer) => heard(stderr, chunk, output.stderr));
  return { channel, ended, stop, abandon: () => abandon() };
}

/**
 * A channel that is closed ends no program by itself, and sshd passes signals on neither for root nor before release 7.9. So
 * the process group is ended by a command of its own.
 */
function endGroup(client: Client, pid: number): void {
  // Without the -- that POSIX knows: dash does not.
  const script = `kill -TERM -${pid} && sleep 2 && kill -KILL -${pid}`;
  try {
    client.exec(quoteCommand(['sh', '-c', script]), (error, channel) => {
      if (error) return; // no session is left for it, or the link is gone: the program ends when it writes next
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

function sessionFailure({ who, isLive }: CommandPlace, error: Error & { reason?: unknown }): FullhouseError {
  if (!isLive() || error.message === 'Not connected')
    return new FullhouseError(
      'link-lost',
      `${who}: the SSH connection broke before the command could start.`,
    );
  if (error.reason !== undefined)
    return new FullhouseError(
      'too-many-sessions',
      `${who}: its sshd opens no more sessions on this connection. Raise MaxSessions in its sshd_config, or wait until a command there has ended.`,
      { cause: error },
    );
  return new FullhouseError(
    'no-command',
    `${who}: its sshd runs no commands for this account: ${error.message}.`,
    {
      cause: error,
    },
  );
}

/** The shell never came to the program. */
export function endlessShell(who: string): FullhouseError {
  return new FullhouseError(
    'too-long',
    `${who}: its shell prints without an end before it runs a command. Check the start files of the account there (.bashrc, .profile) and a ForceCommand of its sshd.`,
  );
}

/** The shell ended without running the program: an account without a login shell, or a forced command. */
export function noShell(who: string, end: CommandEnd): FullhouseError {
  const said = end.noise.split('\n').find((text) => text.trim());
  return new FullhouseError(
    'no-shell',
    `${who}: the account there runs no commands${said ? `; it says: ${said.trim().slice(0, 200)}` : ''}. Fullhouse needs one with a login shell.`,
  );
}
