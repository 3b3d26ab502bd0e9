import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { burstSamples } from '../../src/domain/clock/toneBurst';
import { BurstDetector } from '../../src/renderer/player/sound/burstDetector';

const rateHz = 48_000;
const count = 10;
const floats = ['-f', 'f32le', '-ar', `${rateHz}`, '-ac', '1'];

/** Two independent seconds of it: encoded and decoded by ffmpeg. */
function transcoded(samples: Float32Array, codec: readonly string[], format: string): Float32Array {
  const ffmpeg = (input: NodeJS.ArrayBufferView, args: readonly string[]): Buffer => {
    const { stdout, stderr, status } = spawnSync('ffmpeg', ['-loglevel', 'error', ...args, 'pipe:1'], {
      input,
      maxBuffer: 1 << 27,
    });
    expect(status, stderr.toString()).toBe(0);
    return stdout;
  };
  const encoded = ffmpeg(samples, [...floats, '-i', 'pipe:0', ...codec, '-f', format]);
  return new Float32Array(new Uint8Array(ffmpeg(encoded, ['-i', 'pipe:0', ...floats])).buffer);
}

const opus = (kbps: number, ...more: string[]): string[] => ['-c:a', 'libopus', '-b:a', `${kbps}k`, ...more];
const aac = (kbps: number, ...more: string[]): string[] => ['-c:a', 'aac', '-b:a', `${kbps}k`, ...more];
const codecs: readonly [string, readonly string[], string][] = [
  ['Opus at 32 kbit/s', opus(32), 'ogg'],
  ['Opus at 16 kbit/s for speech', opus(16, '-application', 'voip'), 'ogg'],
  ['Opus at 64 kbit/s in stereo', opus(64, '-ac', '2'), 'ogg'],
  ['AAC at 96 kbit/s in stereo', aac(96, '-ac', '2'), 'adts'],
  ['AAC at 96 kbit/s and 44.1 kHz', aac(96, '-ar', '44100'), 'adts'],
  ['AAC at 32 kbit/s', aac(32), 'adts'],
  ['G.711', ['-c:a', 'pcm_mulaw', '-ar', '8000'], 'wav'],
];

it.each(codecs)('every tone burst is read after %s', (_name, codec, format) => {
  const samples = new Float32Array(rateHz * (count + 1));
  for (let second = 0; second < count; second += 1)
    samples.set(burstSamples(9, second, rateHz), (second + 0.25) * rateHz);
  const found = new BurstDetector(rateHz).push(transcoded(samples, codec, format));
  expect(found.map(({ reading }) => reading.secondLow)).toEqual(Array.from({ length: count }, (_, second) => second));
  const delaysMs = found.map(({ start, reading }) => 1000 * (start / rateHz - reading.secondLow - 0.25));
  // Encoders add a delay, which is the same for all bursts.
  expect(Math.max(...delaysMs) - Math.min(...delaysMs)).toBeLessThan(0.2);
});
