import type { ReferenceLine } from '../chartSpec';
import type { Points } from './decimate';
import type { PixelMap } from './pixelMap';

/** Placement of a reference line's label: beside the line, where it hides the least data. */

export interface LabelPlacement {
  /** Left end of the text and its middle, in CSS pixels of the canvas. */
  readonly x: number;
  readonly middle: number;
}

/** An area in pixels. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The patch under a label: a little more than its text. */
export function labelBox({ x, middle }: LabelPlacement, width: number): Box {
  return { left: x - 3, right: x + width + 3, top: middle - 6, bottom: middle + 6 };
}

export function areOverlapping(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Less than this only touches a corner. */
const hardlyHiddenPx = 2;

/**
 * The first place that hides nothing, else the one that hides least. `hidden` returns the trace pixels a place hides.
 */
export function minOverlap(
  places: readonly LabelPlacement[],
  hidden: (place: LabelPlacement) => number,
): LabelPlacement | undefined {
  let best: LabelPlacement | undefined;
  let least = Infinity;
  for (const place of places) {
    const pixels = hidden(place);
    if (pixels < hardlyHiddenPx) return place;
    if (pixels < least) [best, least] = [place, pixels];
  }
  return best;
}

/** Between the edge of a plot and a label on it. */
const labelGap = 4;

/** The label of a reference line at `y`, and where it hides least; no place if a panel is too low for any. */
export function referenceLabel(
  { label: long, shortLabel, labelled }: Pick<ReferenceLine, 'label' | 'shortLabel' | 'labelled'>,
  y: number,
  panel: Box,
  widthOf: (text: string) => number,
  hidden: (place: LabelPlacement, width: number) => number,
): { readonly label: string; readonly place: LabelPlacement | undefined } {
  const isCut = widthOf(long) > panel.right - panel.left - 2 * labelGap;
  const label = isCut ? (shortLabel ?? long) : long;
  const width = widthOf(label);
  const sides = labelled === 'above' ? [y - 8, y + 8] : [y + 8, y - 8];
  const middles = sides.filter((middle) => middle - 6 >= panel.top && middle + 6 <= panel.bottom);
  const places = [panel.left + labelGap, panel.right - labelGap - width].flatMap((x) =>
    middles.map((middle) => ({ x, middle })),
  );
  return { label, place: minOverlap(places, (each) => hidden(each, width)) };
}

interface PlacedTrace {
  readonly points: Points;
  readonly shown: boolean;
}

/** Total pixels along the time axis that traces spend in a box. */
export function hiddenPixels(traces: readonly PlacedTrace[], map: PixelMap, box: Box): number {
  return traces.reduce((sum, trace) => (trace.shown ? sum + hiddenOf(trace, map, box) : sum), 0);
}

function hiddenOf({ points }: PlacedTrace, { x0, xPerMs, y0, yPerUnit }: PixelMap, box: Box): number {
  const { timesMs, values, length } = points;
  let sum = 0;
  let [x, y] = [NaN, NaN];
  for (let index = 0; index < length; index += 1) {
    const [fromX, fromY] = [x, y];
    x = x0 + (timesMs[index] ?? NaN) * xPerMs;
    y = y0 + (values[index] ?? NaN) * yPerUnit;
    if (fromX > box.right) break;
    // Next to a gap a point is not part of a line.
    if (x < box.left || Number.isNaN(fromY) || Number.isNaN(y)) continue;
    const rise = x > fromX ? (y - fromY) / (x - fromX) : 0;
    const left = Math.max(fromX, box.left);
    const right = Math.min(x, box.right);
    const [start, end] = [fromY + rise * (left - fromX), x > fromX ? fromY + rise * (right - fromX) : y];
    if (Math.max(start, end) >= box.top && Math.min(start, end) <= box.bottom) sum += right - left;
  }
  return sum;
}
