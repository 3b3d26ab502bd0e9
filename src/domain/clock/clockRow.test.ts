import { describe, expect, it } from 'vitest';
import { clockAgeMs, clockCells, decodeClock, encodeClock } from './clockRow';

const timeMs = 1_795_260_764_943;

function brightness(cells: readonly boolean[], white = 235, black = 16): number[] {
  return cells.map((cell) => (cell ? white : black));
}

describe('clock row', () => {
  it('encodes source and time', () => {
    const cells = encodeClock(37, timeMs);
    expect(cells).toHaveLength(clockCells);
    const reading = decodeClock(brightness(cells));
    expect(reading?.source).toBe(37);
    expect(reading && clockAgeMs(reading, timeMs + 218)).toBe(218);
  });

  it('reads a low-contrast, noisy picture', () => {
    const noisy = brightness(encodeClock(5, timeMs), 180, 60).map((value, index) => value + ((index * 37) % 40) - 20);
    expect(decodeClock(noisy)?.source).toBe(5);
  });

  it('rejects any single misread cell', () => {
    const cells = encodeClock(5, timeMs);
    for (let cell = 2; cell < clockCells; cell += 1) {
      const misread = cells.map((white, index) => (index === cell ? !white : white));
      expect(decodeClock(brightness(misread))).toBeUndefined();
    }
  });

  it('rejects other pictures', () => {
    expect(decodeClock(new Array<number>(clockCells).fill(0))).toBeUndefined();
    expect(decodeClock(new Array<number>(clockCells).fill(255))).toBeUndefined();
    expect(decodeClock(brightness(encodeClock(5, timeMs)).slice(1))).toBeUndefined();
    // All black but for the two cells of the levels: a CRC that starts at zero would accept this as time zero.
    expect(decodeClock([235, ...new Array<number>(clockCells - 1).fill(16)])).toBeUndefined();
  });

  it('computes the age across the wrap of its 24 bits', () => {
    const before = 2 ** 24 - 10;
    const reading = decodeClock(brightness(encodeClock(0, before)));
    expect(reading && clockAgeMs(reading, before + 25)).toBe(25);
  });
});
