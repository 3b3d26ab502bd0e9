import type { Luma } from '../../src/engine/clockCodes/readCodes';
import { drawPageFrame, drawPageGround, type PageContext, type PageFrame } from '../../src/engine/clockPage/page/draw';

/** Photos of clock pages as phones take them, computed from what the page draws. */

/** Numbers from 0 to 1, the same for each seed. */
export function randomOf(seed: number): () => number {
  let state = (seed * 48_271 + 11) % 2_147_483_647;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const levels: Readonly<Record<string, number>> = { '#ffffff': 235, '#000000': 12 };
const ground = 18;

/** The rectangles of a page; texts and lines are left out. */
export function drawnPage(width: number, frames: readonly PageFrame[]): Luma {
  const height = Math.round((width * 9) / 16);
  const luma = new Uint8Array(width * height);
  const nothing = (): void => undefined;
  const context = {
    ...{ fillStyle: '', strokeStyle: '', lineWidth: 0, font: '', textAlign: 'left', textBaseline: 'top' },
    ...{ fillText: nothing, beginPath: nothing, arc: nothing, moveTo: nothing, lineTo: nothing },
    ...{ fill: nothing, stroke: nothing },
    fillRect(left: number, top: number, wide: number, tall: number): void {
      const value = levels[context.fillStyle] ?? ground;
      const [from, to] = [Math.max(0, Math.round(left)), Math.min(width, Math.round(left + wide))];
      for (let y = Math.max(0, Math.round(top)); y < Math.min(height, Math.round(top + tall)); y += 1)
        luma.fill(value, y * width + from, y * width + to);
    },
  };
  drawPageGround(context as unknown as PageContext, { width, height });
  for (const frame of frames) drawPageFrame(context as unknown as PageContext, { width, height }, frame);
  return { width, height, luma };
}

/** Two pictures of one exposure: `share` of it shows the second one. */
export function exposed(first: Luma, second: Luma, share: number): Luma {
  return { ...first, luma: first.luma.map((value, at) => value * (1 - share) + (second.luma[at] ?? 0) * share) };
}

export interface Screen {
  readonly picture: Luma;
  /** Where the middle of it is in the photo, and how wide it would be from the front, in pixels. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Turned away from the camera around the vertical and horizontal axis, and around its line of sight; degrees. */
  readonly yaw: number;
  readonly pitch: number;
  readonly roll: number;
}

/** How far the camera is from a screen, in widths of the screen. */
const cameraAway = 1.6;

/** Adds a screen to the photo. */
export function place(photo: Luma, screen: Screen): void {
  const { picture, x: middleX, y: middleY, width } = screen;
  const rotation = rotationOf(screen);
  const [a, b, , d, e, , g, h] = rotation as [number, number, number, number, number, number, number, number, number];
  const reach = { x: 0.7 * width, y: 0.45 * width };
  for (let y = Math.max(0, Math.floor(middleY - reach.y)); y < Math.min(photo.height, middleY + reach.y); y += 1)
    for (let x = Math.max(0, Math.floor(middleX - reach.x)); x < Math.min(photo.width, middleX + reach.x); x += 1) {
      // Where the line of sight through this pixel meets the plane of the screen, in widths of it.
      const u = (x - middleX) / width / cameraAway;
      const v = (y - middleY) / width / cameraAway;
      // x = u (away + z), with point = (a X + b Y, d X + e Y, g X + h Y).
      const p = a - u * g;
      const q = b - u * h;
      const r = d - v * g;
      const s = e - v * h;
      const determinant = p * s - q * r;
      const left = (cameraAway * (u * s - v * q)) / determinant;
      const top = (cameraAway * (v * p - u * r)) / determinant;
      const value = valueAt(picture, (left + 0.5) * picture.width, top * picture.width + picture.height / 2);
      if (value !== undefined) photo.luma[y * photo.width + x] = value;
    }
}

function rotationOf({ yaw, pitch, roll }: Screen): number[] {
  const turn = (degrees: number): [number, number] => [
    Math.cos((degrees * Math.PI) / 180),
    Math.sin((degrees * Math.PI) / 180),
  ];
  const [[cy, sy], [cp, sp], [cr, sr]] = [turn(yaw), turn(pitch), turn(roll)];
  return [
    ...[cr * cy - sr * sp * sy, -sr * cp, cr * sy + sr * sp * cy],
    ...[sr * cy + cr * sp * sy, cr * cp, sr * sy - cr * sp * cy],
    ...[-cp * sy, sp, cp * cy],
  ];
}

/** Between pixels; undefined outside. */
function valueAt({ width, height, luma }: Luma, x: number, y: number): number | undefined {
  const left = Math.floor(x - 0.5);
  const top = Math.floor(y - 0.5);
  if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return undefined;
  const shareX = x - 0.5 - left;
  const shareY = y - 0.5 - top;
  const at = top * width + left;
  const upper = luma[at]! * (1 - shareX) + luma[at + 1]! * shareX;
  const lower = luma[at + width]! * (1 - shareX) + luma[at + width + 1]! * shareX;
  return upper * (1 - shareY) + lower * shareY;
}

export interface Damage {
  /** Spacing of the display's pixels and their turn against the camera's, and how dark the gaps are, 0 to 1. */
  readonly moire: { readonly px: number; readonly degrees: number; readonly depth: number };
  /** How often the mean of 3 x 3 pixels is taken. */
  readonly blur: number;
  /** Highest deviation of a pixel. */
  readonly noise: number;
  /** Coarseness of JPEG: 1 for its usual table. */
  readonly jpeg: number;
}

export function damaged(photo: Luma, { moire, blur, noise, jpeg }: Damage, random: () => number): Luma {
  let luma = withGrid(photo, moire);
  for (let time = 0; time < blur; time += 1) luma = blurred(luma, photo.width);
  for (let at = 0; at < luma.length; at += 1) luma[at] = luma[at]! + noise * (2 * random() - 1);
  if (jpeg > 0) compress(luma, photo.width, jpeg);
  return { ...photo, luma: new Uint8Array(new Uint8ClampedArray(luma).buffer) };
}

function withGrid({ width, luma }: Luma, { px, degrees, depth }: Damage['moire']): Float32Array {
  const [across, along] = [Math.cos((degrees * Math.PI) / 180) / px, Math.sin((degrees * Math.PI) / 180) / px];
  const steps = 256;
  const waves = Float32Array.from({ length: steps }, (_, step) => {
    return 1 - depth * (0.5 + 0.5 * Math.cos((2 * Math.PI * step) / steps));
  });
  const wave = (place: number): number => waves[Math.floor(place * steps) & (steps - 1)]!;
  const all = new Float32Array(luma.length);
  for (let at = 0; at < all.length; at += 1) {
    const x = at % width;
    const y = (at - x) / width;
    all[at] = luma[at]! * wave(x * across + y * along) * wave(y * across - x * along);
  }
  return all;
}

function blurred(luma: Float32Array, width: number): Float32Array {
  return meanOf(meanOf(luma, 1), width);
}

/** Mean of each pixel and the two that are so far away. */
function meanOf(luma: Float32Array, away: number): Float32Array {
  const all = Float32Array.from(luma);
  for (let at = away; at < luma.length - away; at += 1) all[at] = (luma[at]! + luma[at - away]! + luma[at + away]!) / 3;
  return all;
}

/** JPEG's usual table for brightness at quality 50. */
const table = [
  ...[16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56, 14, 17, 22, 29],
  ...[51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113, 92, 49, 64, 78, 87, 103, 121],
  ...[120, 101, 72, 92, 95, 98, 112, 100, 103, 99],
];
const cosines = Float32Array.from({ length: 64 }, (_, at) => {
  const [frequency, place] = [Math.floor(at / 8), at % 8];
  return Math.cos(((2 * place + 1) * frequency * Math.PI) / 16) * (frequency === 0 ? Math.SQRT1_2 : 1) * 0.5;
});

/** What JPEG leaves of each square of 8 x 8 pixels. */
function compress(luma: Float32Array, width: number, coarseness: number): void {
  const height = luma.length / width;
  const [block, half] = [new Float32Array(64), new Float32Array(64)];
  for (let top = 0; top + 8 <= height; top += 8)
    for (let left = 0; left + 8 <= width; left += 8) {
      for (let y = 0; y < 8; y += 1)
        for (let frequency = 0; frequency < 8; frequency += 1) {
          let sum = 0;
          for (let x = 0; x < 8; x += 1) sum += luma[(top + y) * width + left + x]! * cosines[frequency * 8 + x]!;
          half[y * 8 + frequency] = sum;
        }
      for (let down = 0; down < 8; down += 1)
        for (let across = 0; across < 8; across += 1) {
          let sum = 0;
          for (let y = 0; y < 8; y += 1) sum += half[y * 8 + across]! * cosines[down * 8 + y]!;
          const step = table[down * 8 + across]! * coarseness;
          block[down * 8 + across] = Math.round(sum / step) * step;
        }
      for (let y = 0; y < 8; y += 1)
        for (let across = 0; across < 8; across += 1) {
          let sum = 0;
          for (let down = 0; down < 8; down += 1) sum += block[down * 8 + across]! * cosines[down * 8 + y]!;
          half[y * 8 + across] = sum;
        }
      for (let y = 0; y < 8; y += 1)
        for (let x = 0; x < 8; x += 1) {
          let sum = 0;
          for (let across = 0; across < 8; across += 1) sum += half[y * 8 + across]! * cosines[across * 8 + x]!;
          luma[(top + y) * width + left + x] = sum;
        }
    }
}
