import { bitsOf, checkBits, checked, valueOf, withCheck } from './bits';
import { sourceBits, maxSources } from './sources';

/**
 * The machine-readable row of test patterns and clock pages: black and white cells that encode the time of drawing, for
 * glass-to-glass delay. 48 cells: a white and a black one for the levels, 6 bits of source number, 24 bits of time
 * in ms (it wraps after 4.66 hours, far beyond any delay), 16 bits of checksum.
 */
const timeBits = 24;
export const clockCells = 2 + sourceBits + timeBits + checkBits;
/** After how long the encoded time starts again, ms. */
export const wrapMs = 2 ** timeBits;

/** Position of the row, relative to width and height: margins keep it clear of edge artefacts. */
export const clockRow = { left: 0.07, right: 0.93, top: 0.885, bottom: 0.955 } as const;

export interface ClockReading {
  readonly source: number;
  /** Low 24 bits of the time of drawing, ms. */
  readonly timeLow: number;
}

/** The bits of a time in ms that a clock row encodes. */
export function timeLowOf(timeMs: number): number {
  return ((Math.round(timeMs) % wrapMs) + wrapMs) % wrapMs;
}

/** Cells from left to right, true for white. `timeMs` may be any time in ms; its low bits are encoded. */
export function encodeClock(source: number, timeMs: number): boolean[] {
  return [
    true,
    false,
    ...withCheck([...bitsOf(source % maxSources, sourceBits), ...bitsOf(timeLowOf(timeMs), timeBits)]),
  ];
}

/** Decodes cells from their brightness (0 to 255); undefined if not a clock row or misread. */
export function decodeClock(brightness: readonly number[]): ClockReading | undefined {
  const [white, black] = brightness;
  if (brightness.length !== clockCells || white === undefined || black === undefined) return undefined;
  // Below this contrast it is another picture.
  if (white - black < 64) return undefined;
  const middle = (white + black) / 2;
  const payload = checked(brightness.slice(2).map((value) => value > middle));
  if (!payload) return undefined;
  return { source: valueOf(payload.slice(0, sourceBits)), timeLow: valueOf(payload.slice(sourceBits)) };
}

/** Age of a reading at `nowMs`, by the clock that drew it. */
export function clockAgeMs(reading: ClockReading, nowMs: number): number {
  return (((nowMs - reading.timeLow) % wrapMs) + wrapMs) % wrapMs;
}
