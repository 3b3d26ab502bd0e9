import { clipped, laneHeight, type AxisPlace } from '../../domain/charts/drawing/frame';
import { drawPatched, laneTop, type PlotArea } from './drawFrame';
import type { Scene, WatchedRun } from './scene';

/** A bar is never narrower: it can be clicked. */
const minPx = 6;

/** A run on the axis of a watched fleet, in pixels; undefined out of view. */
export function runPlace(
  run: WatchedRun,
  startedMs: number,
  area: AxisPlace,
): { readonly from: number; readonly to: number } | undefined {
  const { xOf } = area;
  const fromMs = run.fromMs - startedMs;
  const minMs = minPx / Math.max(Number.MIN_VALUE, xOf(1) - xOf(0));
  return clipped({ fromMs, toMs: Math.max(run.toMs - startedMs, fromMs + minMs) }, area);
}

/** Runs while the fleet was watched: a shade over the plot, and a bar in the lane that opens the run. */
export function drawRuns(ctx: CanvasRenderingContext2D, area: PlotArea, { runs, startedMs, palette }: Scene): void {
  const top = laneTop(area);
  for (const run of runs) {
    const place = runPlace(run, startedMs, area);
    if (!place) continue;
    ctx.fillStyle = palette.ramp;
    ctx.fillRect(place.from, area.top, place.to - place.from, area.bottom - area.top);
    ctx.fillStyle = palette.phase;
    ctx.fillRect(place.from, top, place.to - place.from, laneHeight);
  }
}

/** Names of the runs, below their bars; one that would touch the next is left out. */
export function drawRunNames(ctx: CanvasRenderingContext2D, area: PlotArea, { runs, startedMs, palette }: Scene): void {
  let free = area.left;
  for (const run of [...runs].sort((a, b) => a.fromMs - b.fromMs)) {
    const place = runPlace(run, startedMs, area);
    if (!place) continue;
    const { width } = ctx.measureText(run.name);
    const x = Math.max(area.left + 4, Math.min(place.from + 4, area.right - width - 4));
    if (x < free || x + width > area.right) continue;
    drawPatched(ctx, run.name, x, area.top + 9, palette.textFaint, palette);
    free = x + width + 8;
  }
}
