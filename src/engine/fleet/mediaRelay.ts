import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import { startFfmpeg } from '../base/ffmpeg';
import { startProgram } from '../base/program';

export interface RelayProgress {
  /** Since its start. */
  readonly frames: number;
  /** Video and audio with the container. */
  readonly bytes: number;
}

/** A stream that this machine sends for the window. */
export interface MediaRelay {
  /** More of what the window records, in Matroska. */
  write(data: Uint8Array): void;
  /** What has been sent, as of the latest report. */
  progress(): RelayProgress | undefined;
  /** Resolves with one sentence when it ends other than by `end`. */
  readonly ended: Promise<string>;
  end(): Promise<void>;
}

/** Characters of several reports, which are lines of `name=value`. */
const maxReportLength = 2000;

/** The latest values in a part of the reports; undefined until it has both. */
export function progressIn(report: string): RelayProgress | undefined {
  const latest = (name: string): number | undefined => {
    const values = [...report.matchAll(new RegExp(`^${name}=\\s*(\\d+)\\s*$`, 'gm'))];
    const value = values.at(-1)?.[1];
    return value === undefined ? undefined : Number(value);
  };
  const [frames, bytes] = [latest('frame'), latest('total_size')];
  return frames === undefined || bytes === undefined ? undefined : { frames, bytes };
}

/** Unsent data of the window beyond this mean that the server takes less than the stream has. */
const maxBehindBytes = 8_000_000;

/**
 * Chromium's encoder numbers its parameter sets anew at each keyframe, and nginx-rtmp writes those of the FLV header to
 * HLS: so each change is sent as a new header.
 */
const newFlvHeaders = 'h264_mp4toannexb,extract_extradata';

/**
 * Sends H.264 and Opus of the window over RTMP or SRT, which no browser speaks: the video as it is, the audio as AAC,
 * since neither FLV nor most servers take Opus. ffmpeg makes FLV of it, and the agent's program sends that: ffmpeg takes
 * the address of an output as an argument only, and it may have a stream's key or a passphrase.
 */
export function startMediaRelay(
  {
    agentBinary,
    who,
    stream,
    clock,
  }: { readonly agentBinary: string; readonly who: string; readonly stream: string; readonly clock: Clock },
  protocol: 'rtmp' | 'srt',
  url: string,
): MediaRelay {
  const input = ['-f', 'matroska', '-fflags', 'nobuffer', '-probesize', '100000', '-i', 'pipe:0'];
  const codecs = ['-c:v', 'copy', '-c:a', 'aac', '-b:a', '96k', '-bsf:v', newFlvHeaders];
  const { child, closed } = startFfmpeg([...input, ...codecs, '-flush_packets', '1', '-f', 'flv', 'pipe:1'], {
    missing: `${who} takes ${protocol.toUpperCase()}, which ffmpeg prepares for the window, and this machine has none; install it.`,
    ended: (words) => `The stream ${stream} can't be sent to ${who}: ${words}.`,
  });
  const sender = startProgram(agentBinary, ['send']);
  sender.stdin.on('error', () => undefined); // reported by its end
  sender.stdin.write(`${JSON.stringify({ protocol, url })}\n`);
  child.stdout.pipe(sender.stdin);
  let sent: RelayProgress | undefined;
  let report = '';
  sender.stdout.on('data', (text: Buffer) => {
    report = (report + text.toString()).slice(-maxReportLength);
    sent = progressIn(report) ?? sent;
  });
  let words = '';
  sender.stderr.on('data', (text: Buffer) => (words = (words + text.toString()).trim().split('\n').at(-1) ?? ''));
  const sending = new Promise<string>((resolve) => {
    sender.once('error', (error) => resolve(`The agent could not be started: ${error.message}.`));
    sender.once('close', () =>
      resolve(`${who} ended ${stream}, or refused it: ${words.replace(/\.$/, '') || 'end of the stream'}.`),
    );
  });
  // Without its sender ffmpeg has no output; without ffmpeg the sender's input ends, and it its session.
  void sending.then(() => child.kill('SIGKILL'));
  let isEnding = false;
  return {
    write: (data) => {
      if (isEnding) return;
      if (child.stdin.writableLength > maxBehindBytes)
        throw new FullhouseError('too-slow', `${who} takes ${stream} slower than it is recorded.`);
      child.stdin.write(data);
    },
    progress: () => sent,
    ended: Promise.race([closed, sending]),
    end: async () => {
      isEnding = true;
      child.stdin.end();
      const cancelLimit = clock.after(endLimitMs, () => {
        child.kill('SIGKILL');
        sender.kill('SIGKILL');
      });
      await Promise.all([closed, sending]);
      cancelLimit();
    },
  };
}

/** ffmpeg flushes its encoder, and the server confirms the end. */
const endLimitMs = 3000;
