import { bitsOf, checkBits, checked, valueOf, withCheck } from './bits';
import { sourceBits } from './sources';

/**
 * The text of the QR codes of a clock page, for photos: letters and digits that fit a QR code of 21 x 21 modules whose
 * error correction restores a quarter of it. The page shows two codes and draws them in turn, one in each frame of the
 * display: a photo that catches the change of one has the other one whole.
 */
const prefix = 'FH';
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const timeBits = 42;
const slotBits = 1;
const refreshBits = 5;
const letterBits = 5;
const letters = (sourceBits + timeBits + slotBits + refreshBits + checkBits) / letterBits;
const maxRefreshMs = 2 ** refreshBits - 1;

export interface PhotoCode {
  readonly source: number;
  /** 0: the left code, 1: the right one. */
  readonly slot: 0 | 1;
  /** Unix time of drawing by the console's clock, ms. */
  readonly timeMs: number;
  /** Between two frames of the display, rounded up; 0 if unknown. */
  readonly refreshMs: number;
}

/** `timeMs` is rounded. */
export function encodePhotoCode({ source, slot, timeMs, refreshMs }: PhotoCode): string {
  const bits = withCheck([
    ...bitsOf(source, sourceBits),
    ...bitsOf(Math.round(timeMs), timeBits),
    ...bitsOf(slot, slotBits),
    ...bitsOf(Math.min(maxRefreshMs, Math.ceil(refreshMs)), refreshBits),
  ]);
  const text = Array.from({ length: letters }, (_, index) =>
    alphabet.charAt(valueOf(bits.slice(index * letterBits, (index + 1) * letterBits))),
  );
  return prefix + text.join('');
}

/** Undefined for any other code, and one whose checksum does not match. */
export function decodePhotoCode(text: string): PhotoCode | undefined {
  if (!text.startsWith(prefix) || text.length !== prefix.length + letters) return undefined;
  const values = Array.from(text.slice(prefix.length), (letter) => alphabet.indexOf(letter));
  if (values.includes(-1)) return undefined;
  const payload = checked(values.flatMap((value) => bitsOf(value, letterBits)));
  if (!payload) return undefined;
  const slotAt = sourceBits + timeBits;
  return {
    source: valueOf(payload.slice(0, sourceBits)),
    timeMs: valueOf(payload.slice(sourceBits, slotAt)),
    slot: payload[slotAt] ? 1 : 0,
    refreshMs: valueOf(payload.slice(slotAt + slotBits)),
  };
}
