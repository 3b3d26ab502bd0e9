import type { Chart, Plugin } from 'chart.js';
import type { ChartSpec } from '../../domain/charts';
import {
  drawHatch,
  drawPatched,
  drawPhaseNames,
  drawPhases,
  drawReference,
  laneTop,
  phaseSpans,
  type PlotArea,
} from './drawFrame';
import { lowerLabel } from './fit';
import { drawMark, laneHeight, markColour } from './drawMarks';
import type { DrawnTrace } from './drawTrace';
import { hiddenPixels, labelBox, type LabelPlace } from './labelPlace';
import type { MarkGroup } from './marks';
import { slotColour } from './palette';
import type { DoubtfulStretch, Scene } from './scene';
import { pixelMap } from './traceController';

/** What the plugin draws around the traces. */
export interface Frame {
  readonly spec: ChartSpec;
  readonly scene: Scene;
  readonly area: PlotArea;
  readonly groups: readonly MarkGroup[];
  /** Per panel. */
  readonly traces: readonly (readonly DrawnTrace[])[];
  /** Phase names are written in the first chart only. */
  readonly namesPhases: boolean;
}

type Bounds = { left: number; right: number; top: number; bottom: number };

function panelBounds(chart: Chart<'traces'>, panel: number, area: PlotArea): Bounds {
  const scale = chart.scales[panel === 0 ? 'y' : `y${panel}`];
  return {
    left: area.left,
    right: area.right,
    top: scale?.top ?? area.top,
    bottom: scale?.bottom ?? area.bottom,
  };
}

function nodeColour(scene: Scene): (id: string) => string {
  return (id) => {
    const node = scene.nodes.find((each) => each.id === id);
    return node ? slotColour(node.colourSlot, scene.palette) : scene.palette.t2;
  };
}

/** Under the traces: phases, the hatch over what is to come, and a line from each mark down through the plot. */
function drawUnder(ctx: CanvasRenderingContext2D, { scene, area, groups }: Frame): void {
  const { palette } = scene;
  const spans = phaseSpans(scene.phases, scene.startedMs, scene.nowMs);
  drawPhases(ctx, area, spans, palette);
  const now = area.xOf(scene.nowMs);
  if (!scene.ended && now < area.right) {
    drawHatch(ctx, { ...area, left: Math.max(area.left, now) }, palette.hl, 5);
    ctx.fillStyle = palette.hl2;
    ctx.fillRect(Math.round(now), area.top, 1, area.bottom - area.top);
  }
  ctx.lineWidth = 1;
  ctx.setLineDash([1, 3]);
  ctx.globalAlpha = 0.32;
  for (const group of groups) {
    ctx.strokeStyle = markColour(group, palette, nodeColour(scene));
    ctx.globalAlpha = group.mark.kind === 'reason' ? 0.7 : 0.32;
    ctx.beginPath();
    ctx.moveTo(Math.round(group.x) + 0.5, area.top);
    ctx.lineTo(Math.round(group.x) + 0.5, area.bottom);
    ctx.stroke();
  }
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}

/** Times in which a tester was at its own limit: a bar on top and a hatch, over charts made by viewers only. */
function drawDoubtful(ctx: CanvasRenderingContext2D, frame: Frame): void {
  if (!frame.spec.madeByViewers) return;
  for (const doubtful of frame.scene.doubtful) drawDoubtfulTime(ctx, frame, doubtful);
}

function drawDoubtfulTime(
  ctx: CanvasRenderingContext2D,
  { scene, area, namesPhases }: Frame,
  doubtful: DoubtfulStretch,
): void {
  const { palette } = scene;
  const left = Math.max(area.left, area.xOf(doubtful.fromMs - scene.startedMs));
  const until = doubtful.toMs === undefined ? scene.nowMs : doubtful.toMs - scene.startedMs;
  const right = Math.min(area.right, area.xOf(until));
  if (right <= left) return;
  ctx.globalAlpha = 0.3;
  drawHatch(ctx, { ...area, left, right }, palette.wa, 6);
  ctx.globalAlpha = 1;
  ctx.fillStyle = palette.wa;
  ctx.fillRect(left, area.top, right - left, 1.5);
  if (!namesPhases) return;
  const { width } = ctx.measureText(doubtful.label);
  drawPatched(ctx, doubtful.label, Math.max(left, right - width - 10), area.top + 11, palette.wa, palette);
}

/** The expected course of the viewers, dotted into the hatched future. */
function drawExtrapolation(
  ctx: CanvasRenderingContext2D,
  chart: Chart<'traces'>,
  { spec, scene, area }: Frame,
): void {
  const { extrapolation } = scene;
  const scale = chart.scales['y'];
  if (!extrapolation || !scale || spec.id !== 'viewers' || scene.ended) return;
  const origin = scene.nodes.find((node) => node.role === 'origin');
  ctx.save();
  ctx.beginPath();
  ctx.rect(area.left, scale.top, area.right - area.left, scale.bottom - scale.top);
  ctx.clip();
  ctx.strokeStyle = origin ? slotColour(origin.colourSlot, scene.palette) : scene.palette.t2;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([2, 3]);
  ctx.beginPath();
  ctx.moveTo(
    area.xOf(extrapolation.fromMs - scene.startedMs),
    scale.getPixelForValue(extrapolation.fromValue),
  );
  ctx.lineTo(area.xOf(extrapolation.toMs - scene.startedMs), scale.getPixelForValue(extrapolation.toValue));
  ctx.stroke();
  ctx.restore();
}

/** How much of a panel's traces a label hides. */
function hiddenBy(
  chart: Chart<'traces'>,
  panel: number,
  { scene, traces }: Frame,
): (place: LabelPlace, width: number) => number {
  const { xScale, yScale } = chart.getDatasetMeta(panel);
  if (!xScale || !yScale) return () => 0;
  const map = pixelMap(xScale, yScale, scene.startedMs);
  return (place, width) => hiddenPixels(traces[panel] ?? [], map, labelBox(place, width));
}

/** Over the traces: limits and facts, names, and the marks in the lane. */
function drawOver(ctx: CanvasRenderingContext2D, chart: Chart<'traces'>, frame: Frame): void {
  const { spec, scene, area, groups } = frame;
  const { palette } = scene;
  ctx.globalAlpha = 1;
  if (frame.namesPhases)
    drawPhaseNames(ctx, area, phaseSpans(scene.phases, scene.startedMs, scene.nowMs), palette);
  drawDoubtful(ctx, frame);
  drawExtrapolation(ctx, chart, frame);
  for (const [index, panel] of spec.panels.entries()) {
    const bounds = panelBounds(chart, index, area);
    const scale = chart.scales[index === 0 ? 'y' : `y${index}`];
    const hidden = hiddenBy(chart, index, frame);
    for (const line of panel.lines)
      if (scale) drawReference(ctx, line, scale.getPixelForValue(line.value), bounds, palette, hidden);
    const label = lowerLabel(panel, bounds.right - bounds.left);
    if (label) drawPatched(ctx, label, bounds.left + 4, bounds.top + 8, palette.t3, palette);
  }
  const middle = laneTop(area) + laneHeight / 2;
  for (const group of groups)
    drawMark(ctx, group, middle, markColour(group, palette, nodeColour(scene)), palette);
}

/**
 * A chart.js plugin that draws lane, phases, marks and lines of reference around the traces. `frame` is asked once per
 * drawing, after the layout.
 */
export function framePlugin(frame: () => Frame | undefined): Plugin<'traces'> {
  let current: Frame | undefined;
  return {
    id: 'frame',
    beforeDatasetsDraw: ({ ctx }) => {
      current = frame();
      if (!current) return;
      ctx.save();
      drawUnder(ctx, current);
      ctx.restore();
    },
    afterDatasetsDraw: (chart) => {
      if (!current) return;
      chart.ctx.save();
      drawOver(chart.ctx, chart, current);
      chart.ctx.restore();
    },
  };
}
