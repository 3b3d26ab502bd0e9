import type { MarkGroup } from '../../domain/charts/drawing/marks';
import { chartFontBold, type Palette } from '../ui/palette';

/** Colour of a mark: by kind, or by node for `lost` and `recovered`. */
export function markColour({ mark }: MarkGroup, palette: Palette, nodeColour: (node: string) => string): string {
  switch (mark.kind) {
    case 'limit':
    case 'degraded':
      return palette.warning;
    case 'reason':
      return palette.danger;
    case 'note':
      return palette.text;
    case 'lost':
    case 'recovered':
      return mark.node === undefined ? palette.textMuted : nodeColour(mark.node);
  }
}

/** Draws a mark, with a count if merged, with a background rim for contrast with the profile. */
export function drawMark(
  ctx: CanvasRenderingContext2D,
  group: MarkGroup,
  y: number,
  colour: string,
  palette: Palette,
): void {
  ctx.save();
  ctx.translate(Math.round(group.drawnX) + 0.5, y);
  ctx.setLineDash([]);
  ctx.lineJoin = 'round';
  drawShape(ctx, group, colour, palette);
  if (group.count > 1) drawCount(ctx, group, palette);
  ctx.restore();
}

function drawShape(ctx: CanvasRenderingContext2D, { mark }: MarkGroup, colour: string, palette: Palette): void {
  if (mark.kind === 'lost' || mark.kind === 'recovered') {
    drawOutline(ctx, mark.kind, colour, palette);
    return;
  }
  ctx.beginPath();
  if (mark.kind === 'reason') ctx.arc(0, 0.5, 6.5, 0, Math.PI * 2);
  else if (mark.kind === 'note') ctx.rect(-3.5, -3.5, 7, 7);
  else if (mark.kind === 'limit') polygon(ctx, [-4.5, 4, 0, -4.5, 4.5, 4]);
  else polygon(ctx, [0, -4.8, 4.8, 0, 0, 4.8, -4.8, 0]);
  ctx.strokeStyle = palette.surface;
  ctx.lineWidth = 3;
  ctx.stroke();
  ctx.fillStyle = colour;
  ctx.fill();
  if (mark.kind !== 'reason') return;
  ctx.fillStyle = palette.surface;
  ctx.font = chartFontBold;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(String(mark.number ?? ''), 0, 1);
}

function polygon(ctx: CanvasRenderingContext2D, points: readonly number[]): void {
  for (let at = 0; at + 1 < points.length; at += 2) ctx.lineTo(points[at] ?? 0, points[at + 1] ?? 0);
  ctx.closePath();
}

/** An x for a node that stopped responding, a ring for one that responds again. */
function drawOutline(
  ctx: CanvasRenderingContext2D,
  kind: 'lost' | 'recovered',
  colour: string,
  palette: Palette,
): void {
  ctx.beginPath();
  if (kind === 'recovered') ctx.arc(0, 0, 3.5, 0, Math.PI * 2);
  else {
    ctx.moveTo(-3, -3);
    ctx.lineTo(3, 3);
    ctx.moveTo(3, -3);
    ctx.lineTo(-3, 3);
  }
  ctx.lineCap = 'round';
  ctx.strokeStyle = palette.surface;
  ctx.lineWidth = 4.5;
  ctx.stroke();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.75;
  ctx.stroke();
}

function drawCount(ctx: CanvasRenderingContext2D, { count, mark }: MarkGroup, palette: Palette): void {
  const text = String(count);
  const left = mark.kind === 'reason' ? 8 : 6;
  ctx.font = chartFontBold;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.strokeStyle = palette.surface;
  ctx.lineWidth = 3;
  ctx.strokeText(text, left, 0.5);
  ctx.fillStyle = palette.text;
  ctx.fillText(text, left, 0.5);
}
