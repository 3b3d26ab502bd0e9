import { clockCells, clockRow, encodeClock } from '../../../src/domain/clock/clockRow';
import { readClock } from '../../../src/renderer/player/clock/clockPicture';

/** Video range. */
const [black, white] = [16, 235];
/** Every frame has another source and time, so that a frame that is read as another one is noticed. */
export const frameTime = (frame: number): number => 1_795_260_000_000 + frame * 40 + (frame % 7);
export const frameSource = (frame: number): number => frame % 63;

const noise = new Uint8Array(1 << 20).map((_, index) => (Math.imul(index + 1, 2_654_435_761) >>> 11) & 63);

/** A frame as planes of I420: bars that move, noise that no encoder predicts, and the clock row. */
export function drawFrame(frame: number, width: number, height: number, into: Uint8Array): void {
  const top = Math.round(clockRow.top * height) - Math.round(0.03 * height);
  let seed = (frame * 7919) & 0xfffff;
  for (let y = 0; y < top; y += 1)
    for (let x = 0; x < width; x += 1) {
      seed = (seed + 1) & 0xfffff;
      into[y * width + x] = 40 + (((x + 3 * frame) >> 5) & 3) * 40 + (noise[seed] ?? 0);
    }
  into.fill(black, top * width, width * height);
  into.fill(128, width * height, (width * height * 3) / 2);
  const cells = encodeClock(frameSource(frame), frameTime(frame));
  const cellPx = ((clockRow.right - clockRow.left) * width) / clockCells;
  const [from, to] = [Math.round(clockRow.top * height), Math.round(clockRow.bottom * height)];
  cells.forEach((isWhite, cell) => {
    const left = Math.round(clockRow.left * width + cell * cellPx);
    const right = Math.round(clockRow.left * width + (cell + 1) * cellPx);
    for (let y = from; y < to; y += 1) into.fill(isWhite ? white : black, y * width + left, y * width + right);
  });
}

/** What was read of a decoded frame: its source and low time, or undefined. */
export const readFrame = (
  bytes: Uint8Array,
  width: number,
  height: number,
): { readonly source: number; readonly timeLow: number } | undefined =>
  readClock({ bytes, offset: 0, stride: width, step: 1, width, height });
