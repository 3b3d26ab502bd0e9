import { FullhouseError } from '../../contract/calls';
import { startFfmpeg } from '../base/ffmpeg';

/** A stream that ffmpeg on this machine sends for the window. */
export interface MediaRelay {
  /** More of what the window records, in Matroska. */
  write(data: Uint8Array): void;
  /** Resolves with one sentence when it ends other than by `end`. */
  readonly ended: Promise<string>;
  end(): Promise<void>;
}

/** Unsent data of the window beyond this mean that the server takes less than the stream has. */
const maxBehindBytes = 8_000_000;

/**
 * Sends H.264 and Opus of the window over RTMP or SRT, which no browser speaks: the video as it is, the audio as AAC,
 * since neither FLV nor most servers take Opus.
 */
export function startMediaRelay(who: string, stream: string, protocol: 'rtmp' | 'srt', url: string): MediaRelay {
  const input = ['-f', 'matroska', '-fflags', 'nobuffer', '-probesize', '100000', '-i', 'pipe:0'];
  const codecs = ['-c:v', 'copy', '-c:a', 'aac', '-b:a', '96k'];
  const output = ['-flush_packets', '1', '-f', protocol === 'srt' ? 'mpegts' : 'flv', url];
  const { child, closed } = startFfmpeg([...input, ...codecs, ...output], {
    missing: `${who} takes ${protocol.toUpperCase()}, which ffmpeg sends for the window, and this machine has none; install it.`,
    ended: (words) => `${who} ended ${stream}, or refused it: ${words}.`,
  });
  child.stdout.resume();
  let isEnding = false;
  return {
    write: (data) => {
      if (isEnding) return;
      if (child.stdin.writableLength > maxBehindBytes)
        throw new FullhouseError('too-slow', `${who} takes ${stream} slower than it is recorded.`);
      child.stdin.write(data);
    },
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
