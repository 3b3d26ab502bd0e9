import type { ReferenceLine } from '../../domain/charts/charts';
import { laneHeight, phaseNames, phaseShapes, type AxisPlace, type PhaseSpan } from '../../domain/charts/drawing/frame';
import { referenceLabel, type Box, type LabelPlacement } from '../../domain/charts/drawing/labelPlacement';
import { dashes } from '../../domain/charts/drawing/strokes';
import { chartFont, type Palette } from '../ui/palette';

/** The background of a plot: phases, limits and the future. Coordinates are CSS pixels of the card's canvas. */

/** The plot of a chart, all panels together. */
export interface PlotArea extends AxisPlace {
  readonly top: number;
  readonly bottom: number;
}

/** Top of the lane, above the plot. */
export const laneTop = (area: PlotArea): number => area.top - 3 - laneHeight;

/** The plan as a profile in the lane, and a light shade over the plot during ramp-up. */
export function drawPhases(
  ctx: CanvasRenderingContext2D,
  area: PlotArea,
  phases: readonly PhaseSpan[],
  palette: Palette,
): void {
  const top = laneTop(area);
  const bottom = top + laneHeight;
  ctx.save();
  ctx.beginPath();
  ctx.rect(area.left, top, area.right - area.left, area.bottom - top);
  ctx.clip();
  for (const { from, to, startsLow, endsLow, isRamp } of phaseShapes(phases, area)) {
    if (isRamp) {
      ctx.fillStyle = palette.ramp;
      ctx.fillRect(from, area.top, to + 1 - from, area.bottom - area.top);
    }
    ctx.fillStyle = palette.phase;
    ctx.beginPath();
    ctx.moveTo(from, bottom);
    ctx.lineTo(from, startsLow ? bottom - 1 : top);
    ctx.lineTo(to, endsLow ? bottom - 1 : top);
    ctx.lineTo(to, bottom);
    ctx.fill();
  }
  ctx.restore();
}

/** Names of the phases, in the first chart. */
export function drawPhaseNames(
  ctx: CanvasRenderingContext2D,
  area: PlotArea,
  phases: readonly PhaseSpan[],
  palette: Palette,
): void {
  ctx.font = chartFont;
  ctx.fillStyle = palette.textFaint;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const { name, x } of phaseNames(phases, area, (text) => ctx.measureText(text).width))
    ctx.fillText(name, x, area.top + 9);
}

/** Text on a background patch, so lines do not cross it. */
export function drawPatched(
  ctx: CanvasRenderingContext2D,
  text: string,
  x: number,
  middle: number,
  colour: string,
  palette: Palette,
): void {
  ctx.font = chartFont;
  const { width } = ctx.measureText(text);
  ctx.globalAlpha = 0.82;
  ctx.fillStyle = palette.surface;
  ctx.fillRect(x - 3, middle - 6, width + 6, 12);
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x, middle + 0.5);
}

/** A reference line across a panel with its label. `hidden` returns how many trace pixels a patch hides. */
export function drawReference(
  ctx: CanvasRenderingContext2D,
  line: ReferenceLine,
  y: number,
  panel: Box,
  palette: Palette,
  hidden: (place: LabelPlacement, width: number) => number,
): void {
  if (y < panel.top || y > panel.bottom) return;
  const colour = line.kind === 'limit' ? palette.warning : palette.textMuted;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.setLineDash(dashes[line.kind]);
  ctx.beginPath();
  ctx.moveTo(panel.left, Math.round(y) + 0.5);
  ctx.lineTo(panel.right, Math.round(y) + 0.5);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.font = chartFont;
  const { label, place } = referenceLabel(line, y, panel, (text) => ctx.measureText(text).width, hidden);
  if (place) drawPatched(ctx, label, place.x, place.middle, colour, palette);
}

/** Hatches a range of the plot with lines at 45 degrees. */
export function drawHatch(ctx: CanvasRenderingContext2D, area: Box, colour: string, stepPx: number): void {
  const { left, right, top, bottom } = area;
  if (right - left < 1) return;
  const height = bottom - top;
  ctx.save();
  ctx.beginPath();
  ctx.rect(left, top, right - left, height);
  ctx.clip();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.setLineDash([]);
  ctx.beginPath();
  // Anchored to the canvas, not to its edge, so it does not crawl while the edge moves.
  for (let x = Math.floor((left - height) / stepPx) * stepPx; x < right; x += stepPx) {
    ctx.moveTo(x, bottom);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}
