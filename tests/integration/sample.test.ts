import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { decodeClock } from '../../src/domain/clock/clockRow';
import { mediaFileSource as source } from '../../src/domain/clock/sources';
import { fileBurstMs } from '../../src/domain/clock/toneBurst';
import { cellBrightness, clockRect } from '../../src/renderer/player/clock/clockPicture';
import { BurstDetector } from '../../src/renderer/player/sound/burstDetector';
import { cleanUp, cli, temporaryFolder } from './support';

afterEach(cleanUp);

const seconds = 4;
const frames = seconds * 25;

const sample = (...args: string[]): Promise<string> =>
  promisify(execFile)(process.execPath, [cli, 'sample', '--seconds', `${seconds}`, ...args]).then(({ stdout }) =>
    stdout.trim(),
  );

function decoded(args: readonly string[]): Buffer {
  const { stdout, stderr, status } = spawnSync('ffmpeg', ['-loglevel', 'error', ...args, 'pipe:1'], {
    maxBuffer: 1 << 28,
  });
  expect(status, stderr.toString()).toBe(0);
  return stdout;
}

describe('media of fullhouse sample', () => {
  it.each([
    ['h264', '640x360', '400'],
    ['vp8', '426x240', '150'],
  ])('have their time in each frame: %s, %s, %s kbit/s', async (codec, size, kbps) => {
    const file = await sample('--codec', codec, '--size', size, '--kbps', kbps, '--out', temporaryFolder());
    const [width = 0, height = 0] = size.split('x').map(Number);
    const rect = clockRect(width, height);
    const luma = decoded(['-i', file, '-f', 'rawvideo', '-pix_fmt', 'gray']);
    const times = Array.from({ length: luma.length / (width * height) }, (_, frame) => {
      const offset = (frame * height + (rect.y ?? 0)) * width;
      return decodeClock(cellBrightness({ bytes: luma, offset, stride: width, step: 1, ...rect }));
    });
    expect(times).toEqual(Array.from({ length: frames }, (_, frame) => ({ source, timeLow: frame * 40 })));
  });

  it('have it in each second of the sound, with the delay of Opus removed', async () => {
    const file = await sample('--size', '320x180', '--out', temporaryFolder());
    const ogg = file.replace(/h264$/, 'ogg');
    const pcm = decoded(['-i', ogg, '-f', 'f32le', '-ar', '48000', '-ac', '1']);
    const found = new BurstDetector(48_000).push(new Float32Array(new Uint8Array(pcm).buffer));
    expect(found.map(({ reading }) => reading)).toEqual(
      Array.from({ length: seconds }, (_, secondLow) => ({ source, secondLow })),
    );
    // ffmpeg skips the delay, a receiver of RTP does not.
    const opusDelayMs = 6.5;
    for (const { start, reading } of found)
      expect(start / 48 + opusDelayMs - fileBurstMs - reading.secondLow * 1000).toBeCloseTo(0, 0);
  });
});
