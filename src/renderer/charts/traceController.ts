import {
  type CartesianScaleTypeRegistry,
  type ChartDataset,
  type ControllerDatasetOptions,
  type CoreChartOptions,
  DatasetController,
  type Scale,
} from 'chart.js';
import { lineOfSlot, type TraceSpec } from '../../domain/charts/charts';
import type { Points } from '../../domain/charts/drawing/decimate';
import { markerOf, markerXs } from '../../domain/charts/drawing/markers';
import { areaPath, linePath, ringPlaces } from '../../domain/charts/drawing/paths';
import { areaAlpha, dashes, lineWidths } from '../../domain/charts/drawing/strokes';
import { type PixelMap, pixelMapOf } from '../../domain/charts/drawing/pixelMap';
import { drawColumns } from './drawColumns';

/** A trace as drawn: its current points and its style. */
export interface DrawnTrace {
  readonly spec: TraceSpec;
  readonly points: Points;
  /** For a stack layer: its lower edge. */
  readonly base: Points | undefined;
  colour: string;
  /** Replaces the node's dash where lines distinguish runs. */
  readonly dash?: readonly number[];
  /** The line is wider and has markers: colour alone does not identify it. */
  readonly isMarked?: boolean;
  /** Below 1 while another node is hovered. */
  alpha: number;
  shown: boolean;
}

/** Content of a panel's dataset instead of data points. */
export interface TracesDataset {
  traces: readonly DrawnTrace[];
  /** Start of the run: axis times are relative to it, sample times are Unix ms. */
  startedMs: number;
  /** Fill of the rings at the ends of a gap; absent: no rings. */
  ringGround: string | undefined;
}

declare module 'chart.js' {
  interface ChartTypeRegistry {
    traces: {
      chartOptions: CoreChartOptions<'traces'>;
      datasetOptions: ControllerDatasetOptions & TracesDataset;
      defaultDataPoint: never;
      metaExtensions: object;
      parsedDataType: object;
      scales: keyof CartesianScaleTypeRegistry;
    };
  }
}

/** Beyond this many points or traces in a panel, lines are drawn in the cheap mode. */
const densePoints = 2500;
const denseTraces = 8;

/**
 * Draws all traces of a panel straight from typed arrays. chart.js's line controller creates an object per point on
 * every update, which for 12 charts of 16 nodes is most of the cost; scales, layout and export remain chart.js's.
 */
export class TraceController extends DatasetController<'traces'> {
  static readonly id = 'traces';
  /** chart.js requires an element type; without data points none is created. */
  static readonly defaults = { datasetElementType: false, dataElementType: 'point' };

  override draw(): void {
    const { ctx } = this.chart;
    const { xScale, yScale } = this.getMeta();
    const dataset = this.getDataset();
    if (!xScale || !yScale || !isTraces(dataset)) return;
    const { traces, startedMs, ringGround } = dataset;
    const map = pixelMap(xScale, yScale, startedMs);
    ctx.save();
    ctx.lineJoin = 'round';
    ctx.lineCap = 'round';
    const points = traces.reduce((sum, trace) => sum + (trace.shown ? trace.points.length : 0), 0);
    const isDense = points > densePoints || traces.length > denseTraces;
    for (const trace of traces) if (trace.shown) drawArea(ctx, trace, map, yScale.bottom);
    for (const trace of traces) if (trace.shown) drawTrace(ctx, trace, map, isDense);
    for (const trace of traces) if (trace.shown && trace.isMarked) drawTraceMarkers(ctx, trace, map);
    if (ringGround !== undefined) for (const trace of traces) if (trace.shown) drawRings(ctx, trace, map, ringGround);
    ctx.restore();
  }
}

/** Where a panel's samples are drawn, from its laid-out scales. */
export function pixelMap(xScale: Scale, yScale: Scale, startedMs: number): PixelMap {
  const { left, right, min: fromMs, max: toMs } = xScale;
  const { top, bottom, min: low, max: high } = yScale;
  return pixelMapOf({ left, right, top, bottom, fromMs, toMs, low, high }, startedMs);
}

function isTraces(dataset: ChartDataset): dataset is ChartDataset & TracesDataset {
  return 'traces' in dataset;
}

const noDash: number[] = [];
/** Edge of a marker, so that it is visible on its own line and on others. */
const markerEdge = '#000000';

/** Added to the width of a marked line, px. */
const markedPx = 0.75;

function widthOf({ spec, isMarked }: DrawnTrace): number {
  return width(spec) + (isMarked ? markedPx : 0);
}

function width({ owner, look }: TraceSpec): number {
  if (look === 'asked' || look === 'noisy') return lineWidths[look];
  return owner.kind === 'node' && owner.colourSlot === 1 ? lineWidths.first : lineWidths.plain;
}

function dashOf(trace: DrawnTrace): number[] {
  if (trace.dash) return [...trace.dash];
  const { owner, look } = trace.spec;
  if (look === 'asked') return [...dashes.asked];
  return owner.kind === 'node' ? [...lineOfSlot(owner.colourSlot).dash] : noDash;
}

/**
 * Draws the line or dots of a trace. A single value between two gaps becomes a dot. `isDense`: so many
 * points share the plot that strokes would cost more than they show.
 */
export function drawTrace(ctx: CanvasRenderingContext2D, trace: DrawnTrace, map: PixelMap, isDense: boolean): void {
  if (trace.points.length === 0 || trace.spec.look === 'band') return;
  ctx.globalAlpha = trace.alpha;
  if (trace.spec.look === 'dots') drawDots(ctx, trace, map);
  else if (isDense && trace.points.bucketMs > 0)
    drawColumns(ctx, trace.points, map, trace.colour, widthOf(trace), dashOf(trace));
  else {
    ctx.strokeStyle = trace.colour;
    // A stroke up to one pixel is a hairline, which is much cheaper.
    ctx.lineWidth = isDense ? 1 : widthOf(trace);
    ctx.lineJoin = isDense ? 'bevel' : 'round';
    const pattern = dashOf(trace);
    ctx.setLineDash(pattern);
    // Round caps would fill the gaps of a dash.
    ctx.lineCap = pattern.length > 0 ? 'butt' : 'round';
    ctx.beginPath();
    linePath(ctx, trace.points, map);
    ctx.stroke();
  }
}

function drawTraceMarkers(ctx: CanvasRenderingContext2D, trace: DrawnTrace, map: PixelMap): void {
  const { owner } = trace.spec;
  if (owner.kind !== 'node') return;
  ctx.globalAlpha = trace.alpha;
  const { colour } = lineOfSlot(owner.colourSlot);
  drawMarkers(ctx, trace.points, map, { colour: trace.colour, slotColour: colour, ground: markerEdge });
}

function drawDots(ctx: CanvasRenderingContext2D, trace: DrawnTrace, map: PixelMap): void {
  const { timesMs, values, length } = trace.points;
  ctx.fillStyle = trace.colour;
  for (let index = 0; index < length; index += 1) {
    const value = values[index] as number;
    if (value === value)
      ctx.fillRect(
        map.x0 + (timesMs[index] as number) * map.xPerMs - 0.75,
        map.y0 + value * map.yPerUnit - 0.75,
        1.5,
        1.5,
      );
  }
}

/** Fills below a line to the panel's bottom, or to the layer below. */
function drawArea(ctx: CanvasRenderingContext2D, trace: DrawnTrace, map: PixelMap, ground: number): void {
  const { look } = trace.spec;
  if ((look !== 'stack' && look !== 'area' && look !== 'band') || trace.points.length === 0) return;
  ctx.globalAlpha = trace.alpha * areaAlpha[look];
  ctx.fillStyle = trace.colour;
  ctx.beginPath();
  areaPath(ctx, trace.points, map, ground);
  // The lower layer's area is inside this one's: even-odd leaves the difference.
  if (trace.base) areaPath(ctx, trace.base, map, ground);
  ctx.fill('evenodd');
}

/** Small open rings where a line ends and starts again. */
export function drawRings(
  ctx: CanvasRenderingContext2D,
  { points, colour, alpha }: DrawnTrace,
  map: PixelMap,
  ground: string,
): void {
  ctx.globalAlpha = alpha;
  ctx.setLineDash(noDash);
  ctx.lineWidth = lineWidths.ring;
  ctx.strokeStyle = colour;
  ctx.fillStyle = ground;
  for (const { x, y } of ringPlaces(points, map)) {
    ctx.beginPath();
    ctx.arc(x, y, 2.5, 0, Math.PI * 2);
    ctx.fill();
    ctx.stroke();
  }
}

/** Size of a marker, px. */
const sizePx = 9;

/** Draws the markers of a line, where it has values, with an edge in the colour of the ground. */
function drawMarkers(
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
