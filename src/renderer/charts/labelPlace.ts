import type { DrawnTrace, PixelMap } from './drawTrace';

/** Where the name of a line of reference goes: beside its line, where it hides least of what was measured. */

export interface LabelPlace {
  /** Left end of the text and its middle, in CSS pixels of the canvas. */
  readonly x: number;
  readonly middle: number;
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The patch under a label: a little more than its text. */
export function labelBox({ x, middle }: LabelPlace, width: number): Box {
  return { left: x - 3, right: x + width + 3, top: middle - 6, bottom: middle + 6 };
}

/** Less than this is a line that just touches a corner. */
const hardlyHiddenPx = 2;

/** The first place that hides nothing, else the one that hides least. `hidden` tells how many pixels of traces a place hides. */
export function leastHiding(
  places: readonly LabelPlace[],
  hidden: (place: LabelPlace) => number,
): LabelPlace | undefined {
  let best: LabelPlace | undefined;
  let least = Infinity;
  for (const place of places) {
    const pixels = hidden(place);
    if (pixels < hardlyHiddenPx) return place;
    if (pixels < least) [best, least] = [place, pixels];
  }
  return best;
}

/** How many pixels along the time axis the traces spend within a box, all together. */
export function hiddenPixels(traces: readonly DrawnTrace[], map: PixelMap, box: Box): number {
  return traces.reduce((sum, trace) => (trace.shown ? sum + hiddenOf(trace, map, box) : sum), 0);
}

function hiddenOf({ points }: DrawnTrace, { x0, xPerMs, y0, yPerUnit }: PixelMap, box: Box): number {
  const { timesMs, values, length } = points;
  let sum = 0;
  let [x, y] = [NaN, NaN];
  for (let index = 0; index < length; index += 1) {
    const [fromX, fromY] = [x, y];
    x = x0 + (timesMs[index] ?? NaN) * xPerMs;
    y = y0 + (values[index] ?? NaN) * yPerUnit;
    if (fromX > box.right) break;
    // Next to a gap, a point is no part of a line.
    if (x < box.left || Number.isNaN(fromY) || Number.isNaN(y)) continue;
    const rise = x > fromX ? (y - fromY) / (x - fromX) : 0;
    const left = Math.max(fromX, box.left);
    const right = Math.min(x, box.right);
    const [start, end] = [fromY + rise * (left - fromX), x > fromX ? fromY + rise * (right - fromX) : y];
    if (Math.max(start, end) >= box.top && Math.min(start, end) <= box.bottom) sum += right - left;
  }
  return sum;
}
