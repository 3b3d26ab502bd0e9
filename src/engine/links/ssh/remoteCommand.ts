import { PassThrough, type Writable } from 'node:stream';
import type { Client, ClientChannel } from 'ssh2';
import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../base/clock';
import { OutputAfterMark, bootstrapLine, commandLine, newMark } from './preamble';

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
  /** The program's standard input; what is written before the program has started waits here. */
  readonly input: Writable;
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
  /** How the server identified itself, e.g. `SSH-2.0-OpenSSH_9.2`. */
  readonly serverVersion: string;
  readonly running: Set<OpenCommand>;
  /** Whether the connection is open. */
  readonly isLive: () => boolean;
  readonly clock: Clock;
}

export interface CommandOutput {
  readonly stdout: (chunk: Buffer) => void;
  readonly stderr: (chunk: Buffer) => void;
}

/**
 * Starts a program through the login shell, whichever that is: the only place that sends a command to a host. The command
 * and its input are sent when sh runs there, so no other program ever reads them. Rejects with a message when the server
 * opens no channel for it.
 */
export function startCommand(
  place: CommandContext,
  argv: readonly string[],
  output: CommandOutput,
): Promise<OpenCommand> {
  const mark = newMark();
  return new Promise((resolve, reject) => {
    try {
      const line = commandLine(argv);
      place.client.exec(bootstrapLine(mark), (error, channel) => {
        if (error) reject(sessionFailure(place, error));
        else resolve(opened(place, channel, { mark, line }, output));
      });
    } catch (error) {
      reject(error instanceof FullhouseError ? error : sessionFailure(place, error as Error));
    }
  });
}

function opened(
  place: CommandContext,
  channel: ClientChannel,
  { mark, line }: { readonly mark: string; readonly line: string },
  output: CommandOutput,
): OpenCommand {
  const stdout = new OutputAfterMark(mark);
  const stderr = new OutputAfterMark(mark);
  const input = new PassThrough();
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
    channel.on('close', () => {
      finish();
      input.destroy();
    });
    channel.on('error', finish);
  });
  input.on('error', () => undefined); // written to after the program's end
  channel.stderr.on('error', () => undefined); // reported by the channel's own end
  const stop = (): void => {
    if (channel.writable) channel.signal('TERM');
    if (stdout.pid !== undefined) endGroup(place, stdout.pid);
    channel.close();
    // The server confirms only when the program has ended; a program that ignores the close is not waited for.
    abandon();
  };
  const received = (stream: OutputAfterMark, chunk: Buffer, take: (chunk: Buffer) => void): void => {
    if (stream.isEndless) return;
    give(stream.take(chunk), take);
    if (stream.isEndless) stop();
  };
  channel.on('data', (chunk: Buffer) => {
    const isStarted = stdout.seen;
    received(stdout, chunk, output.stdout);
    if (isStarted || !stdout.seen || !channel.writable) return;
    channel.write(line);
    input.pipe(channel);
  });
  channel.stderr.on('data', (chunk: Buffer) => received(stderr, chunk, output.stderr));
  return { input, ended, stop, abandon: () => abandon() };
}

/**
 * Closing a channel ends no program, and sshd passes signals on neither for root nor before release 7.9. So
 * a separate command ends the process group.
 */
function endGroup(place: CommandContext, pid: number): void {
  // Without POSIX's --: dash does not support it.
  const script = `kill -TERM -${pid} && sleep 2 && kill -KILL -${pid}`;
  const ignored = (): void => undefined;
  startCommand(place, ['sh', '-c', script], { stdout: ignored, stderr: ignored }).then(
    (command) => command.input.end(),
    ignored, // no session left, or the link is gone: the program ends at its next write
  );
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

/** The shell ended without running the program: Windows, an account without a login shell, or a forced command. */
export function noShell({ who, serverVersion }: CommandContext, end: CommandEnd): FullhouseError {
  if (isWindows(serverVersion, end.noise))
    return new FullhouseError(
      'windows',
      `${who} runs Windows: its host figures can't be read over SSH, and no commands or testers run there, since these need a POSIX shell (sh). For its figures, start a windows_exporter there and enter its address as nodeExporter instead of ssh; as a tester use a Linux host.`,
    );
  const firstOutput = end.noise.split('\n').find((text) => text.trim());
  return new FullhouseError(
    'no-shell',
    `${who}: the account there can't run commands${firstOutput ? ` (${firstOutput.trim().slice(0, 200)})` : ''}. Use one whose login shell can start sh.`,
  );
}

/**
 * By the server's identification, or by how cmd (`'exec' is not recognized ...`) and PowerShell (`exec : The term 'exec'
 * ...`) refuse the bootstrap line.
 */
function isWindows(serverVersion: string, noise: string): boolean {
  return (
    /for_Windows|WinSSHD|Bitvise/i.test(serverVersion) || /^'exec' /m.test(noise) || /exec ?: .*'exec'/.test(noise)
  );
}
