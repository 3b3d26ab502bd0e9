import type { Points } from '../../domain/charts/drawing/decimate';
import type { PixelMap } from '../../domain/charts/drawing/pixelMap';

/**
 * Draws a reduced line as one upright bar per pixel column, from the lowest to the highest value and joined with its
 * neighbours. Filled rectangles are much cheaper than strokes, especially dashed ones. A dash becomes
 * skipped columns, which remain visible where a stroke's dash would be lost in noise.
 */
export function drawColumns(
  ctx: CanvasRenderingContext2D,
  points: Points,
  map: PixelMap,
  colour: string,
  lineWidth: number,
  dash: readonly number[],
): void {
  const { timesMs, values, length, bucketMs } = points;
  const on = Math.round(dash[0] ?? 1);
  const period = dash.length > 0 ? on + Math.round(dash[1] ?? 0) : 0;
  const columnPx = bucketMs * map.xPerMs;
  ctx.fillStyle = colour;

  let bucket = NaN;
  let low = NaN;
  let high = NaN;
  let lowBefore = NaN;
  let highBefore = NaN;
  // The current rectangle, widened over equal columns: a flat line has many.
  let left = NaN;
  let right = NaN;
  let top = NaN;
  let bottom = NaN;

  const emit = (): void => {
    if (left === left) ctx.fillRect(left, top, right - left, bottom - top);
    left = NaN;
  };
  const finish = (): void => {
    if (low !== low) return;
    const from = low > highBefore ? highBefore : low;
    const to = high < lowBefore ? lowBefore : high;
    lowBefore = low;
    highBefore = high;
    const middle = map.y0 + ((from + to) / 2) * map.yPerUnit;
    const half = Math.max(lineWidth, (from - to) * map.yPerUnit) / 2;
    const x = Math.round(map.x0 + bucket * bucketMs * map.xPerMs);
    low = NaN;
    if (period > 0 && ((bucket % period) + period) % period >= on) {
      emit();
      return;
    }
    const looksAlike = Math.abs(middle - half - top) < 0.3 && Math.abs(middle + half - bottom) < 0.3;
    if (left === left && looksAlike && x - right < 0.6) right = x + columnPx;
    else {
      emit();
      left = x;
      right = x + columnPx;
      top = middle - half;
      bottom = middle + half;
    }
  };

  for (let index = 0; index < length; index += 1) {
    const value = values[index] as number;
    if (value !== value) {
      finish();
      emit();
      bucket = lowBefore = highBefore = NaN;
      continue;
    }
    const at = Math.floor((timesMs[index] as number) / bucketMs);
    if (at !== bucket) {
      finish();
      bucket = at;
      low = high = value;
    } else {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
  }
  finish();
  emit();
}
