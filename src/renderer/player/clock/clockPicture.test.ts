import { describe, expect, it } from 'vitest';
import { clockCells, clockRow, decodeClock, encodeClock } from '../../../domain/clock/clockRow';
import { cellBrightness, clockRect } from './clockPicture';
import { sampleOf } from './glassToGlass';

/** The row of a picture of this size as drawn, with noise of the codec up to `noise`. */
function drawn(cells: readonly boolean[], width: number, height: number, noise: number): Uint8Array {
  const cellPx = ((clockRow.right - clockRow.left) * width) / clockCells;
  return Uint8Array.from({ length: width * height }, (_, index) => {
    const cell = Math.floor(((index % width) - clockRow.left * width) / cellPx);
    return (cells[cell] ? 235 - noise : 16 + noise) + ((index * 7919) % (noise + 1)) * (index % 2 ? 1 : -1);
  });
}

describe('clock row of a picture', () => {
  it.each([
    [640, 360],
    [426, 240],
    [320, 240],
    [1280, 720],
    [1919, 1079],
  ])('is read at %i x %i', (width, height) => {
    const rect = clockRect(width, height);
    const bytes = drawn(encodeClock(9, 1_234_567), rect.width, rect.height, 60);
    const plane = { bytes, offset: 0, stride: rect.width, step: 1, width: rect.width, height: rect.height };
    expect(decodeClock(cellBrightness(plane))).toEqual({ source: 9, timeLow: 1_234_567 });
    for (const side of [rect.y, rect.width, rect.height]) expect(side % 2).toBe(0);
  });

  it('is read from pixels of several bytes', () => {
    const bytes = new Uint8Array(640 * 2 * 4);
    drawn(encodeClock(9, 5), 640, 2, 0).forEach((value, index) => (bytes[4 * index + 1] = value));
    const plane = { bytes, offset: 1, stride: 640 * 4, step: 4, width: 640, height: 2 };
    expect(decodeClock(cellBrightness(plane))).toEqual({ source: 9, timeLow: 5 });
  });
});

it('no delay is derived from any of 100,000 damaged rows', () => {
  let seed = 1;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const frame = { presentationTime: 1000, expectedDisplayTime: 1010 };
  let accepted = 0;
  for (let row = 0; row < 100_000; row += 1) {
    const cells = encodeClock(9, row * 40);
    const damaged = cells.map((white, cell) => (cell > 1 && random() < 0.5 ? 235 * random() : white ? 235 : 16));
    const reading = decodeClock(damaged);
    const isRight = reading?.source === 9 && reading.timeLow === row * 40;
    if (reading && !isRight && sampleOf(reading, frame, 0, new Set([9]))) accepted += 1;
  }
  expect(accepted).toBe(0);
});
