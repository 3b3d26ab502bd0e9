import { FullhouseError } from '../../contract/calls';
import { startFfmpeg } from '../base/ffmpeg';

export interface RelayProgress {
  /** Since its start. */
  readonly frames: number;
  /** Video and audio with the container. */
  readonly bytes: number;
}

/** A stream that ffmpeg on this machine sends for the window. */
export interface MediaRelay {
  /** More of what the window records, in Matroska. */
  write(data: Uint8Array): void;
  /** What ffmpeg has sent, as of its latest report. */
  progress(): RelayProgress | undefined;
  /** Resolves with one sentence when it ends other than by `end`. */
  readonly ended: Promise<string>;
  end(): Promise<void>;
}

/** Characters of several of ffmpeg's reports, which are lines of `name=value`. */
const maxReportLength = 2000;

/** The latest values in a part of ffmpeg's reports; undefined until it has both. */
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
 * since neither FLV nor most servers take Opus.
 */
export function startMediaRelay(who: string, stream: string, protocol: 'rtmp' | 'srt', url: string): MediaRelay {
  const input = ['-f', 'matroska', '-fflags', 'nobuffer', '-probesize', '100000', '-i', 'pipe:0'];
  const codecs = ['-c:v', 'copy', '-c:a', 'aac', '-b:a', '96k'];
  const progress = ['-progress', 'pipe:1', '-stats_period', '0.5'];
  const format = protocol === 'srt' ? ['-f', 'mpegts'] : ['-bsf:v', newFlvHeaders, '-f', 'flv'];
  const output = ['-flush_packets', '1', ...format, url];
  const { child, closed } = startFfmpeg([...progress, ...input, ...codecs, ...output], {
    missing: `${who} takes ${protocol.toUpperCase()}, which ffmpeg sends for the window, and this machine has none; install it.`,
    ended: (words) => `${who} ended ${stream}, or refused it: ${words}.`,
  });
  let sent: RelayProgress | undefined;
  let report = '';
  child.stdout.on('data', (text: Buffer) => {
    report = (report + text.toString()).slice(-maxReportLength);
    sent = progressIn(report) ?? sent;
  });
  let isEnding = false;
  return {
    write: (data) => {
      if (isEnding) return;
      if (child.stdin.writableLength > maxBehindBytes)
        throw new FullhouseError('too-slow', `${who} takes ${stream} slower than it is recorded.`);
      child.stdin.write(data);
    },
    progress: () => sent,
    ended: closed,
    end: async () => {
      isEnding = true;
      child.stdin.end();
      const limit = setTimeout(() => child.kill('SIGKILL'), 2000);
      await closed;
      clearTimeout(limit);
    },
  };
}
