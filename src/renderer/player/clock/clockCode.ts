/**
 * The test pattern's machine-readable row: black and white cells that encode the time of drawing, for
 * glass-to-glass delay. 48 cells: a white and a black one for the levels, 6 bits of source number, 24 bits of time
 * in ms (it wraps after 4.66 hours, far beyond any delay), 16 bits of CRC-16/CCITT (polynomial 0x1021, initially ones).
 */
export const clockCells = 48;
const sourceBits = 6;
const timeBits = 24;
const checkBits = 16;
const wrapMs = 2 ** timeBits;
export const maxSources = 2 ** sourceBits;

/** Position of the row, relative to width and height: margins keep it clear of edge artefacts. */
export const clockRow = { left: 0.07, right: 0.93, top: 0.885, bottom: 0.955 } as const;

export interface ClockReading {
  readonly source: number;
  /** Low 24 bits of the time of drawing, ms. */
  readonly timeLow: number;
}

function bitsOf(value: number, count: number): boolean[] {
  return Array.from({ length: count }, (_, index) => Math.floor(value / 2 ** (count - 1 - index)) % 2 === 1);
}

function valueOf(bits: readonly boolean[]): number {
  return bits.reduce((value, bit) => value * 2 + (bit ? 1 : 0), 0);
}

function crc16(bits: readonly boolean[]): number {
  let crc = 0xffff;
  for (const bit of bits) {
    const carry = ((crc & 0x8000) !== 0) !== bit;
    crc = (crc << 1) & 0xffff;
    if (carry) crc ^= 0x1021;
  }
  return crc;
}

/** The bits of a time in ms that a clock row encodes. */
export function timeLowOf(timeMs: number): number {
  return ((Math.round(timeMs) % wrapMs) + wrapMs) % wrapMs;
}

/** Cells from left to right, true for white. `timeMs` may be any time in ms; its low bits are encoded. */
export function encodeClock(source: number, timeMs: number): boolean[] {
  const payload = [...bitsOf(source % maxSources, sourceBits), ...bitsOf(timeLowOf(timeMs), timeBits)];
  return [true, false, ...payload, ...bitsOf(crc16(payload), checkBits)];
}

/** Decodes cells from their brightness (0 to 255); undefined if not a clock row or misread. */
export function decodeClock(brightness: readonly number[]): ClockReading | undefined {
  const [white, black] = brightness;
  if (brightness.length !== clockCells || white === undefined || black === undefined) return undefined;
  // Below this contrast it is another picture.
  if (white - black < 64) return undefined;
  const middle = (white + black) / 2;
  const bits = brightness.slice(2).map((value) => value > middle);
  const payload = bits.slice(0, sourceBits + timeBits);
  if (valueOf(bits.slice(sourceBits + timeBits)) !== crc16(payload)) return undefined;
  return { source: valueOf(payload.slice(0, sourceBits)), timeLow: valueOf(payload.slice(sourceBits)) };
}

/** Age of a reading at `nowMs`, by the clock that drew it. */
export function clockAgeMs(reading: ClockReading, nowMs: number): number {
  return (((nowMs - reading.timeLow) % wrapMs) + wrapMs) % wrapMs;
}
