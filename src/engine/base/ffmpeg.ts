import { FullhouseError } from '../../contract/calls';
import { startProgram, type ChildProcessWithoutNullStreams } from './program';

export interface Ffmpeg {
  readonly child: ChildProcessWithoutNullStreams;
  /** Resolves with one sentence when it has ended, or could not be started. */
  readonly closed: Promise<string>;
}

/** ffmpeg of this machine with its arguments; it reads no keys and prints errors only. */
export function ffmpegCommand(args: readonly string[]): [string, ...string[]] {
  return ['ffmpeg', '-nostdin', '-loglevel', 'error', ...args];
}

/** Protocols and formats of streams; nothing leads ffmpeg to files. */
const streamProtocols = 'pipe,rtmp,rtmps,rtmpt,rtmpts,rtmpe,rtsp,rtsps,rtp,srt,tcp,tls,udp,http,https';
const streamFormats = 'concat,flv,rtsp,mpegts';

/**
 * A stream as the input of ffmpeg, with options of its protocol and format. ffmpeg reads its address from standard
 * input, as a list with one entry: an address may have a password or a key.
 */
export function streamInput(
  address: string,
  options: Readonly<Record<string, string>>,
): { readonly args: readonly string[]; readonly script: string } {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  if (/[\r\n]/.test(address)) throw new FullhouseError('bad-address', 'The address of a stream has one line.');
  const lines = Object.entries(options).map(([name, value]) => `option ${name} ${quoted(value)}\n`);
  return {
    args: [
      ...Object.entries(options).flatMap(([name, value]) => (common.has(name) ? [`-${name}`, value] : [])),
      ...['-protocol_whitelist', streamProtocols, '-format_whitelist', streamFormats],
      ...['-safe', '0', '-f', 'concat', '-i', 'pipe:0'],
    ],
    script: `ffconcat version 1.0\nfile ${quoted(address)}\n${lines.join('')}`,
  };
}

/** Options that the list needs as well as its entry. */
const common = new Set(['fflags', 'probesize', 'analyzeduration']);

/** Starts ffmpeg of this machine. `missing` is the sentence if there is none, `ended` that of its end, with its own words. */
export function startFfmpeg(
  args: readonly string[],
  sentences: { readonly missing: string; readonly ended: (words: string) => string },
): Ffmpeg {
  const [program, ...all] = ffmpegCommand(args);
  const child = startProgram(program, all);
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
  text
    .replace(/^pipe:0: /, '')
    .replace(/\b[a-z]+:\/\/\S+/gi, '(address)')
    .replace(/\.$/, '') || 'end of the stream';
