import { chartFontBold, type Palette } from '../ui/palette';
import type { PlotArea } from './drawFrame';

/** Overlay of a card's chart on a separate canvas, so moving it never redraws the chart. */
export interface OverlayState {
  readonly area: PlotArea;
  /** Crosshair, its time and values; absent out of view. */
  readonly cursor:
    { readonly x: number; readonly label: string; readonly dots: readonly { y: number; colour: string }[] } | undefined;
  /** Drag selection, in pixels. */
  readonly selection: { readonly from: number; readonly to: number } | undefined;
  /** Centres and half widths of the axis labels, which make way for the chip. */
  readonly ticks: readonly { readonly x: number; readonly halfPx: number }[];
  readonly palette: Palette;
}

const chipHeight = 15;

export function drawOverlay(ctx: CanvasRenderingContext2D, state: OverlayState): void {
  const { area, cursor, selection, palette } = state;
  if (selection) {
    const from = Math.max(area.left, Math.min(selection.from, selection.to));
    const to = Math.min(area.right, Math.max(selection.from, selection.to));
    ctx.fillStyle = palette.accentSoft;
    ctx.fillRect(from, area.top, to - from, area.bottom - area.top);
    ctx.fillStyle = palette.accent;
    ctx.fillRect(from, area.top, 1, area.bottom - area.top);
    ctx.fillRect(to - 1, area.top, 1, area.bottom - area.top);
  }
  if (!cursor) return;
  const x = Math.round(cursor.x) + 0.5;
  ctx.globalAlpha = 0.55;
  ctx.strokeStyle = palette.text;
  ctx.lineWidth = 1;
  ctx.beginPath();
  ctx.moveTo(x, area.top);
  ctx.lineTo(x, area.bottom);
  ctx.stroke();
  ctx.globalAlpha = 1;
  for (const { y, colour } of cursor.dots) drawDot(ctx, x, y, colour, palette);
  drawChip(ctx, x, cursor.label, state);
}

function drawDot(ctx: CanvasRenderingContext2D, x: number, y: number, colour: string, palette: Palette): void {
  ctx.beginPath();
  ctx.arc(x, y, 3, 0, Math.PI * 2);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.lineWidth = 1.5;
  ctx.strokeStyle = palette.surface;
  ctx.stroke();
}

/** The time in an inverted chip on the axis. */
function drawChip(
  ctx: CanvasRenderingContext2D,
  x: number,
  label: string,
  { area, ticks, palette }: OverlayState,
): void {
  ctx.font = chartFontBold;
  const width = Math.ceil(ctx.measureText(label).width) + 12;
  const left = Math.round(x - width / 2);
  const top = Math.round(area.bottom) + 3;
  ctx.fillStyle = palette.surface;
  for (const tick of ticks)
    if (Math.abs(tick.x - x) < width / 2 + tick.halfPx + 2)
      ctx.fillRect(tick.x - tick.halfPx - 8, area.bottom + 2, 2 * (tick.halfPx + 8), 18);
  ctx.fillStyle = palette.text;
  ctx.beginPath();
  ctx.roundRect(left, top, width, chipHeight, 3);
  ctx.fill();
  ctx.fillStyle = palette.surface;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(label, left + width / 2, top + chipHeight / 2 + 0.5);
}
