import { clockCells, encodeClock } from '../../../domain/clock/clockRow';
import { mediaFileSource } from '../../../domain/clock/sources';
import { burstSamples, fileBurstMs } from '../../../domain/clock/toneBurst';

export const sampleRateHz = 48_000;
/** Decoders of Opus start with silence of this length, which RTP has no means to skip (RFC 7845, 4.2). */
const opusDelaySamples = 312;

/** Clock rows of a media file as raw video: a line of grey pixels per frame, one per cell. */
export function clockRows(seconds: number, fps: number): Buffer {
  const rows = Buffer.alloc(seconds * fps * clockCells);
  for (let frame = 0; frame < seconds * fps; frame += 1)
    encodeClock(mediaFileSource, (frame * 1000) / fps).forEach((isWhite, cell) => {
      rows[frame * clockCells + cell] = isWhite ? 255 : 0;
    });
  return rows;
}

/** Audio of a media file, 32-bit floats, a second at a time: a tone burst in each, and one second of silence. */
export function* toneBursts(seconds: number): Generator<Buffer> {
  const start = (fileBurstMs / 1000) * sampleRateHz - opusDelaySamples;
  for (let second = 0; second < seconds; second += 1) {
    const samples = new Float32Array(sampleRateHz);
    samples.set(burstSamples(mediaFileSource, second, sampleRateHz), start);
    yield Buffer.from(samples.buffer);
  }
  yield Buffer.alloc(4 * sampleRateHz);
}
