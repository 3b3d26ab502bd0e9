import type { Phase } from '../../domain/run';
import type { ReferenceLine } from '../../domain/charts';
import { leastHiding, type LabelPlace } from './labelPlace';
import { chartFont, type Palette } from './palette';
import { laneHeight } from './drawMarks';

/** The ground of a plot: phases, limits and what is still to come. Coordinates are CSS pixels of the card's canvas. */

/** The plot of a chart, all panels together. */
export interface PlotArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
  /** From ms since the start of the run to pixels, not clipped. */
  readonly xOf: (timeMs: number) => number;
}

/** A phase with times since the start of the run; one under way ends now. */
export interface PhaseSpan {
  readonly name: Phase['name'];
  readonly fromMs: number;
  readonly toMs: number;
}

export function phaseSpans(phases: readonly Phase[], startedMs: number, nowMs: number): readonly PhaseSpan[] {
  return phases.map(({ name, startMs, endMs }) => ({
    name,
    fromMs: startMs - startedMs,
    toMs: endMs === undefined ? nowMs : endMs - startedMs,
  }));
}

/** Top of the lane, above the plot. */
export const laneTop = (area: PlotArea): number => area.top - 3 - laneHeight;

/** The plan as a profile in the lane, and a light shade over the plot while viewers arrive. */
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
  for (const { name, fromMs, toMs } of phases) {
    const from = area.xOf(fromMs);
    // A pixel of air before the next phase.
    const to = area.xOf(toMs) - 1;
    if (to <= from) continue;
    if (name === 'ramp') {
      ctx.fillStyle = palette.ramp;
      ctx.fillRect(from, area.top, to + 1 - from, area.bottom - area.top);
    }
    if (name === 'prepare') continue;
    ctx.fillStyle = palette.phase;
    ctx.beginPath();
    ctx.moveTo(from, bottom);
    ctx.lineTo(from, name === 'ramp' || name === 'baseline' ? bottom - 1 : top);
    ctx.lineTo(to, name === 'drain' || name === 'baseline' ? bottom - 1 : top);
    ctx.lineTo(to, bottom);
    ctx.fill();
  }
  ctx.restore();
}

/** Names of the phases, in the first chart; one that does not fit is left out. */
export function drawPhaseNames(
  ctx: CanvasRenderingContext2D,
  area: PlotArea,
  phases: readonly PhaseSpan[],
  palette: Palette,
): void {
  ctx.font = chartFont;
  ctx.fillStyle = palette.t3;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  for (const { name, fromMs, toMs } of phases) {
    const from = Math.max(area.left, area.xOf(fromMs));
    const to = Math.min(area.right, area.xOf(toMs));
    if (name !== 'prepare' && to - from > ctx.measureText(name).width + 4)
      ctx.fillText(name, from + 4, area.top + 9);
  }
}

/** Text over a patch of the ground, so that lines under it do not strike it through. */
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
  ctx.fillStyle = palette.s1;
  ctx.fillRect(x - 3, middle - 6, width + 6, 12);
  ctx.globalAlpha = 1;
  ctx.fillStyle = colour;
  ctx.textAlign = 'left';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x, middle + 0.5);
}

/** Between the edge of a plot and a label on it. */
const labelGap = 4;

/** A limit or a fact across a panel, named on the line. `hidden` tells how many pixels of traces a patch at a place hides. */
export function drawReference(
  ctx: CanvasRenderingContext2D,
  line: ReferenceLine,
  y: number,
  panel: { left: number; right: number; top: number; bottom: number },
  palette: Palette,
  hidden: (place: LabelPlace, width: number) => number,
): void {
  if (y < panel.top || y > panel.bottom) return;
  const colour = line.kind === 'limit' ? palette.wa : palette.t2;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1;
  ctx.setLineDash(line.kind === 'limit' ? [4, 3] : [1, 2]);
  ctx.beginPath();
  ctx.moveTo(panel.left, Math.round(y) + 0.5);
  ctx.lineTo(panel.right, Math.round(y) + 0.5);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.font = chartFont;
  const room = panel.right - panel.left - 2 * labelGap;
  const isCut = ctx.measureText(line.label).width > room;
  const label = isCut ? (line.shortLabel ?? line.label) : line.label;
  const { width } = ctx.measureText(label);
  const sides = line.labelled === 'above' ? [y - 8, y + 8] : [y + 8, y - 8];
  const middles = sides.filter((middle) => middle - 6 >= panel.top && middle + 6 <= panel.bottom);
  const places = [panel.left + labelGap, panel.right - labelGap - width].flatMap((x) =>
    middles.map((middle) => ({ x, middle })),
  );
  const place = leastHiding(places, (each) => hidden(each, width));
  if (place) drawPatched(ctx, label, place.x, place.middle, colour, palette);
}

/** Hatches a stretch of the plot with lines at 45 degrees. */
export function drawHatch(
  ctx: CanvasRenderingContext2D,
  area: { left: number; right: number; top: number; bottom: number },
  colour: string,
  stepPx: number,
): void {
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
  // Anchored to the canvas, not to its own edge: it must not crawl while the edge moves.
  for (let x = Math.floor((left - height) / stepPx) * stepPx; x < right; x += stepPx) {
    ctx.moveTo(x, bottom);
    ctx.lineTo(x + height, top);
  }
  ctx.stroke();
  ctx.restore();
}
