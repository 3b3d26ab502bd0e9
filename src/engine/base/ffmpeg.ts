import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { environment } from './program';

export interface Ffmpeg {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves with one sentence when it has ended, or could not be started. */
  readonly closed: Promise<string>;
}

/** ffmpeg of this machine with its arguments; it reads no keys and prints errors only. */
export function ffmpegCommand(args: readonly string[]): [string, ...string[]] {
  return ['ffmpeg', '-nostdin', '-loglevel', 'error', ...args];
}

/** Starts ffmpeg of this machine. `missing` is the sentence if there is none, `ended` that of its end, with its own words. */
export function startFfmpeg(
  args: readonly string[],
  sentences: { readonly missing: string; readonly ended: (words: string) => string },
): Ffmpeg {
  const [program, ...all] = ffmpegCommand(args);
  const child = spawn(program, all, {
    env: environment(),
    windowsHide: true,
  });
  let lastLine = '';
  child.stderr.on('data', (text: Buffer) => (lastLine = text.toString().trim().split('\n').slice(-1)[0] ?? ''));
  // A pipe of a process that has ended; its end is reported below.
  child.stdin.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' ? sentences.missing : `ffmpeg could not be started: ${error.message}.`),
    );
    child.on('close', () => resolve(sentences.ended(withoutAddresses(lastLine))));
  });
  return { child, closed };
}

/** ffmpeg's own words without addresses, which may contain a password. */
const withoutAddresses = (text: string): string =>
  text.replace(/\b[a-z]+:\/\/\S+/gi, '(address)').replace(/\.$/, '') || 'end of the stream';
