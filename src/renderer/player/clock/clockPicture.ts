import type { SteppedPlane } from '../picture/plane';
import { clockCells, clockRow, decodeClock, type ClockReading } from '../../../domain/clock/clockRow';

/**
 * The part of a picture that contains the clock row, in whole pairs of pixels as planes of half the resolution need it.
 * The middle half of its height: its edges may be blurred by the codec.
 */
export function clockRect(
  width: number,
  height: number,
): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } {
  const even = (value: number): number => 2 * Math.floor(value / 2);
  const tall = clockRow.bottom - clockRow.top;
  const top = even((clockRow.top + tall / 4) * height);
  return { x: 0, y: top, width: even(width), height: Math.max(2, even((tall / 2) * height)) };
}

/** Mean brightness of the middle half of each cell; the plane is that of `clockRect`. */
export function cellBrightness({ bytes, offset, stride, step, width, height }: SteppedPlane): number[] {
  const cellPx = ((clockRow.right - clockRow.left) * width) / clockCells;
  return Array.from({ length: clockCells }, (_, cell) => {
    const leftPx = clockRow.left * width + cell * cellPx;
    const from = Math.round(leftPx + cellPx / 4);
    const to = Math.max(from + 1, Math.round(leftPx + (3 * cellPx) / 4));
    let sum = 0;
    for (let y = 0; y < height; y += 1)
      for (let x = from; x < to; x += 1) sum += bytes[offset + y * stride + x * step] ?? 0;
    return sum / ((to - from) * height);
  });
}

/** The clock row of a whole picture, by its brightness; undefined without one, and if misread. */
export function readClock(picture: SteppedPlane): ClockReading | undefined {
  const { x, y, width, height } = clockRect(picture.width, picture.height);
  const offset = picture.offset + y * picture.stride + x * picture.step;
  return decodeClock(cellBrightness({ ...picture, offset, width, height }));
}
