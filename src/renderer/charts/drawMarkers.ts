import type { Points } from '../../domain/charts/drawing/decimate';
import { markerOf, markerXs } from '../../domain/charts/drawing/markers';
import type { PixelMap } from '../../domain/charts/drawing/pixelMap';

/** Size of a marker, px. */
const sizePx = 9;

/** Draws the markers of a line, where it has values, with an edge in the colour of the ground. */
export function drawMarkers(
  ctx: CanvasRenderingContext2D,
  points: Points,
  map: PixelMap,
  { colour, slotColour, ground }: { readonly colour: string; readonly slotColour: number; readonly ground: string },
): void {
  const { timesMs, values, length } = points;
  const first = timesMs[0];
  const last = timesMs[length - 1];
  if (first === undefined || last === undefined) return;
  const xOf = (index: number): number => map.x0 + (timesMs[index] as number) * map.xPerMs;
  const { corners } = markerOf(slotColour);
  ctx.setLineDash([]);
  ctx.fillStyle = colour;
  ctx.strokeStyle = ground;
  ctx.lineWidth = 1;
  let index = 0;
  for (const x of markerXs(slotColour, 0, xOf(length - 1))) {
    while (index + 1 < length && xOf(index + 1) <= x) index += 1;
    const value = values[index] as number;
    // Not before the line, and not in a gap.
    if (x < xOf(0) || value !== value) continue;
    const y = map.y0 + value * map.yPerUnit;
    ctx.beginPath();
    for (const [cornerX, cornerY] of corners)
      ctx.lineTo(xOf(index) + (cornerX - 0.5) * sizePx, y + (cornerY - 0.5) * sizePx);
    ctx.closePath();
    ctx.fill();
    ctx.stroke();
  }
}
