import { expect, it } from 'vitest';
import { pictureSizeNames, pictureSizes, type PictureSize } from '../../../domain/model/publishMedia';
import { clockCells, clockRow, decodeClock } from '../../../domain/clock/clockRow';
import { cellBrightness, clockRect } from '../clock/clockPicture';
import { drawClockRow } from '../../../domain/clock/drawClockRow';

/** Fills rectangles of one brightness as a canvas does: pixels on an edge in proportion to the covered part. */
function canvas({ width, height }: PictureSize): { luma: Float64Array; context: Parameters<typeof drawClockRow>[0] } {
  const luma = new Float64Array(width * height).fill(128);
  const covered = (from: number, to: number, pixel: number): number =>
    Math.max(0, Math.min(to, pixel + 1) - Math.max(from, pixel));
  const context = {
    fillStyle: '',
    fillRect(left: number, top: number, wide: number, tall: number): void {
      const value = this.fillStyle === '#ffffff' ? 235 : 16;
      for (let y = Math.floor(top); y < Math.min(height, top + tall); y += 1)
        for (let x = Math.floor(left); x < Math.min(width, left + wide); x += 1) {
          const share = covered(left, left + wide, x) * covered(top, top + tall, y);
          const at = y * width + x;
          luma[at] = (luma[at] ?? 0) * (1 - share) + value * share;
        }
    },
  };
  return { luma, context };
}

/** The mean of squares of this size, all that an encoder leaves at its lowest bitrates. */
function coarse(luma: Float64Array, width: number, square: number): Uint8Array {
  const height = luma.length / width;
  return Uint8Array.from(luma, (_, index) => {
    const left = Math.floor((index % width) / square) * square;
    const top = Math.floor(Math.floor(index / width) / square) * square;
    let [sum, count] = [0, 0];
    for (let y = top; y < Math.min(height, top + square); y += 1)
      for (let x = left; x < Math.min(width, left + square); x += 1) {
        sum += luma[y * width + x] ?? 0;
        count += 1;
      }
    return sum / count;
  });
}

it.each(pictureSizeNames)('the clock row of %s is read, also when only squares of half a cell are left', (name) => {
  const size = pictureSizes[name];
  const { luma, context } = canvas(size);
  const timeMs = 1_795_260_764_943;
  drawClockRow(context, size, { source: 37, timeMs });
  const { y, width, height } = clockRect(size.width, size.height);
  const row = luma.subarray(y * size.width, (y + height) * size.width);
  const half = Math.floor(((clockRow.right - clockRow.left) * size.width) / clockCells / 2);
  for (const square of [1, half]) {
    const bytes = coarse(row, size.width, square);
    const brightness = cellBrightness({ bytes, offset: 0, stride: size.width, step: 1, width, height });
    expect(decodeClock(brightness)).toEqual({ source: 37, timeLow: timeMs % 2 ** 24 });
  }
});
