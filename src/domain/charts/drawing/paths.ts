import type { Points } from './decimate';
import type { PixelMap } from './pixelMap';

/** Takes a path: a canvas context, or `SvgPen`. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  closePath(): void;
}

/** Tenths of pixels: more is invisible and makes a report larger. */
export const tenths = (value: number): number => Number(value.toFixed(1));

/** Writes a path as the `d` of an SVG. */
export class SvgPen implements Pen {
  d = '';

  moveTo(x: number, y: number): void {
    this.d += `M${tenths(x)} ${tenths(y)}`;
  }

  lineTo(x: number, y: number): void {
    this.d += `L${tenths(x)} ${tenths(y)}`;
  }

  closePath(): void {
    this.d += 'Z';
  }
}

/** The line of a trace, broken at its gaps. A single value between two gaps becomes a dot. */
export function linePath(pen: Pen, points: Points, map: PixelMap): void {
  const { timesMs, values, length } = points;
  const { x0, xPerMs, y0, yPerUnit } = map;
  let isOpen = false;
  for (let index = 0; index < length; index += 1) {
    const value = values[index] as number;
    if (value !== value) {
      isOpen = false;
      continue;
    }
    const x = x0 + (timesMs[index] as number) * xPerMs;
    const y = y0 + value * yPerUnit;
    if (!isOpen) pen.moveTo(x, y);
    // A one-point path draws nothing; a line to itself draws a round dot.
    if (isOpen || isAlone(values, index, length)) pen.lineTo(x, y);
    isOpen = true;
  }
}

function isAlone(values: Float32Array, index: number, length: number): boolean {
  return index + 1 >= length || Number.isNaN(values[index + 1]);
}

/**
 * The area below a line, down to `ground`. A layer of a stack is its own area and that of the one below, filled
 * even-odd.
 */
export function areaPath(pen: Pen, points: Points, map: PixelMap, ground: number): void {
  const { timesMs, values, length } = points;
  let openX = NaN;
  let lastX = 0;
  for (let index = 0; index <= length; index += 1) {
    const value = index < length ? (values[index] as number) : NaN;
    if (value !== value) {
      if (openX === openX) {
        pen.lineTo(lastX, ground);
        pen.closePath();
      }
      openX = NaN;
      continue;
    }
    const x = map.x0 + (timesMs[index] as number) * map.xPerMs;
    if (openX !== openX) {
      openX = x;
      pen.moveTo(x, ground);
    }
    pen.lineTo(x, map.y0 + value * map.yPerUnit);
    lastX = x;
  }
}

/** Closer rings would overlap. */
const ringAirPx = 6;

/** Where small open rings show that a line ends and starts again. */
export function ringPlaces(points: Points, map: PixelMap): readonly { readonly x: number; readonly y: number }[] {
  const places: { x: number; y: number }[] = [];
  let previousX = -Infinity;
  for (const index of points.gapEnds) {
    const x = map.x0 + (points.timesMs[index] ?? NaN) * map.xPerMs;
    const y = map.y0 + (points.values[index] ?? NaN) * map.yPerUnit;
    if (Number.isNaN(x + y) || x - previousX < ringAirPx) continue;
    previousX = x;
    places.push({ x, y });
  }
  return places;
}
