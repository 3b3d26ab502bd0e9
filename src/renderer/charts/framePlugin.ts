import type { Chart, Plugin } from 'chart.js';
import type { ChartSpec } from '../../domain/charts/charts';
import { drawHatch, drawPatched, drawPhaseNames, drawPhases, drawReference, laneTop, type PlotArea } from './drawFrame';
import { drawRunNames, drawRuns } from './drawRuns';
import { lowerLabel } from './fit';
import { drawMark, markColour } from './drawMarks';
import { clipped, laneHeight, phaseSpans } from '../../domain/charts/drawing/frame';
import { hiddenPixels, labelBox, type Box, type LabelPlacement } from '../../domain/charts/drawing/labelPlacement';
import type { MarkGroup } from '../../domain/charts/drawing/marks';
import { dashes } from '../../domain/charts/drawing/strokes';
import { slotColour } from '../ui/palette';
import type { TesterLimitedInterval, Scene } from './scene';
import { pixelMap, type DrawnTrace } from './traceController';

/** What the plugin draws around the traces. */
export interface Frame {
  readonly spec: ChartSpec;
  readonly scene: Scene;
  readonly area: PlotArea;
  readonly groups: readonly MarkGroup[];
  /** Per panel. */
  readonly traces: readonly (readonly DrawnTrace[])[];
  /** Phase names are drawn in the first chart only. */
  readonly namesPhases: boolean;
}

function panelBounds(chart: Chart<'traces'>, panel: number, area: PlotArea): Box {
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
    const node = scene.nodes.find((node) => node.id === id);
    return node ? slotColour(node.colourSlot, scene.palette) : scene.palette.textMuted;
  };
}

/** Below the traces: phases, the hatched future, and a line from each mark through the plot. */
function drawUnder(ctx: CanvasRenderingContext2D, { scene, area, groups }: Frame): void {
  const { palette } = scene;
  const spans = phaseSpans(scene.phases, scene.startedMs, scene.nowMs);
  drawPhases(ctx, area, spans, palette);
  drawRuns(ctx, area, scene);
  const now = area.xOf(scene.nowMs);
  if (!scene.ended && now < area.right) {
    drawHatch(ctx, { ...area, left: Math.max(area.left, now) }, palette.line, 5);
    ctx.fillStyle = palette.lineStrong;
    ctx.fillRect(Math.round(now), area.top, 1, area.bottom - area.top);
  }
  ctx.lineWidth = 1;
  ctx.setLineDash(dashes.mark);
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

/** Tester-limited intervals: a bar on top and a hatch, only in charts of viewer metrics. */
function drawDoubtful(ctx: CanvasRenderingContext2D, frame: Frame): void {
  if (!frame.spec.isOfViewers) return;
  for (const doubtful of frame.scene.doubtful) drawDoubtfulTime(ctx, frame, doubtful);
}

function drawDoubtfulTime(
  ctx: CanvasRenderingContext2D,
  { scene, area, namesPhases }: Frame,
  doubtful: TesterLimitedInterval,
): void {
  const { palette } = scene;
  const toMs = doubtful.toMs === undefined ? scene.nowMs : doubtful.toMs - scene.startedMs;
  const place = clipped({ fromMs: doubtful.fromMs - scene.startedMs, toMs }, area);
  if (!place) return;
  const { from: left, to: right } = place;
  ctx.globalAlpha = 0.3;
  drawHatch(ctx, { ...area, left, right }, palette.warning, 6);
  ctx.globalAlpha = 1;
  ctx.fillStyle = palette.warning;
  ctx.fillRect(left, area.top, right - left, 1.5);
  if (!namesPhases) return;
  // Below the names of phases.
  const { width } = ctx.measureText(doubtful.label);
  drawPatched(ctx, doubtful.label, Math.max(left, right - width - 10), area.top + 23, palette.warning, palette);
}

/** Expected viewers over time, dotted into the hatched future. */
function drawExtrapolation(ctx: CanvasRenderingContext2D, chart: Chart<'traces'>, { spec, scene, area }: Frame): void {
  const { extrapolation } = scene;
  const scale = chart.scales['y'];
  if (!extrapolation || !scale || spec.id !== 'viewers' || scene.ended) return;
  const origin = scene.nodes.find((node) => node.role === 'origin');
  ctx.save();
  ctx.beginPath();
  ctx.rect(area.left, scale.top, area.right - area.left, scale.bottom - scale.top);
  ctx.clip();
  ctx.strokeStyle = origin ? slotColour(origin.colourSlot, scene.palette) : scene.palette.textMuted;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([2, 3]);
  ctx.beginPath();
  ctx.moveTo(area.xOf(extrapolation.fromMs - scene.startedMs), scale.getPixelForValue(extrapolation.fromValue));
  ctx.lineTo(area.xOf(extrapolation.toMs - scene.startedMs), scale.getPixelForValue(extrapolation.toValue));
  ctx.stroke();
  ctx.restore();
}

/** Trace pixels of a panel hidden by a label. */
function hiddenBy(
  chart: Chart<'traces'>,
  panel: number,
  { scene, traces }: Frame,
): (place: LabelPlacement, width: number) => number {
  const { xScale, yScale } = chart.getDatasetMeta(panel);
  if (!xScale || !yScale) return () => 0;
  const map = pixelMap(xScale, yScale, scene.startedMs);
  return (place, width) => hiddenPixels(traces[panel] ?? [], map, labelBox(place, width));
}

/** Above the traces: reference lines, labels, and the marks in the lane. */
function drawOver(ctx: CanvasRenderingContext2D, chart: Chart<'traces'>, frame: Frame): void {
  const { spec, scene, area, groups } = frame;
  const { palette } = scene;
  ctx.globalAlpha = 1;
  if (frame.namesPhases) drawPhaseNames(ctx, area, phaseSpans(scene.phases, scene.startedMs, scene.nowMs), palette);
  if (frame.namesPhases) drawRunNames(ctx, area, scene);
  drawDoubtful(ctx, frame);
  drawExtrapolation(ctx, chart, frame);
  for (const [index, panel] of spec.panels.entries()) {
    const bounds = panelBounds(chart, index, area);
    const scale = chart.scales[index === 0 ? 'y' : `y${index}`];
    const hidden = hiddenBy(chart, index, frame);
    for (const line of panel.lines)
      if (scale) drawReference(ctx, line, scale.getPixelForValue(line.value), bounds, palette, hidden);
    const label = lowerLabel(panel, bounds.right - bounds.left);
    if (label) drawPatched(ctx, label, bounds.left + 4, bounds.top + 8, palette.textFaint, palette);
  }
  const middle = laneTop(area) + laneHeight / 2;
  for (const group of groups) drawMark(ctx, group, middle, markColour(group, palette, nodeColour(scene)), palette);
}

/**
 * A chart.js plugin that draws lane, phases, marks and reference lines around the traces. `frame` is called once per
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
