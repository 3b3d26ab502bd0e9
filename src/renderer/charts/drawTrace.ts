import { lineOfSlot, type TraceSpec } from '../../domain/charts';
import type { Points } from './decimate';
import { drawColumns } from './drawColumns';

/** A trace as it is drawn: its points of this moment and its looks. */
export interface DrawnTrace {
  readonly spec: TraceSpec;
  readonly points: Points;
  /** For a layer of a stack: the edge it stands on. */
  readonly base: Points | undefined;
  colour: string;
  /** In place of the dash of its node, where lines tell runs apart. */
  readonly dash?: readonly number[];
  /** Less than 1 while another node is pointed at. */
  alpha: number;
  shown: boolean;
}

/** From a sample's time and value to pixels. */
export interface PixelMap {
  readonly x0: number;
  readonly xPerMs: number;
  readonly y0: number;
  readonly yPerUnit: number;
}

const areaAlpha = { stack: 0.18, area: 0.28 } as const;
const noDash: number[] = [];

function width({ owner, look }: TraceSpec): number {
  if (look === 'asked') return 1;
  if (look === 'noisy') return 1.25;
  return owner.kind === 'node' && owner.colourSlot === 1 ? 1.75 : 1.5;
}

function dashOf(trace: DrawnTrace): number[] {
  if (trace.dash) return [...trace.dash];
  const { owner, look } = trace.spec;
  if (look === 'asked') return [3, 3];
  return owner.kind === 'node' ? [...lineOfSlot(owner.colourSlot).dash] : noDash;
}

/**
 * Draws the line, or the dots, of a trace. A value that stands alone between two gaps becomes a dot. `isDense`: so many
 * points share the plot that strokes would cost more than they show.
 */
export function drawTrace(
  ctx: CanvasRenderingContext2D,
  trace: DrawnTrace,
  map: PixelMap,
  isDense: boolean,
): void {
  if (trace.points.length === 0) return;
  ctx.globalAlpha = trace.alpha;
  if (trace.spec.look === 'dots') drawDots(ctx, trace, map);
  else if (isDense && trace.points.bucketMs > 0)
    drawColumns(ctx, trace.points, map, trace.colour, width(trace.spec), dashOf(trace));
  else {
    ctx.strokeStyle = trace.colour;
    // Up to one pixel a stroke is a hairline, which costs a small part of a wider one.
    ctx.lineWidth = isDense ? 1 : width(trace.spec);
    ctx.lineJoin = isDense ? 'bevel' : 'round';
    const pattern = dashOf(trace);
    ctx.setLineDash(pattern);
    // Round ends would fill the spaces of a dash.
    ctx.lineCap = pattern.length > 0 ? 'butt' : 'round';
    ctx.beginPath();
    tracePath(ctx, trace.points, map);
    ctx.stroke();
  }
}

function tracePath(ctx: CanvasRenderingContext2D, points: Points, map: PixelMap): void {
  const { timesMs, values, length } = points;
  const { x0, xPerMs, y0, yPerUnit } = map;
  let isOpen = false;
  for (let index = 0; index < length; index += 1) {
    const value = values[index] as number;
    if (value !== value) {
      isOpen = false;
      continue;
    }
    const x = x0 + (timesMs[index] as number) * xPerMs;
    const y = y0 + value * yPerUnit;
    if (!isOpen) ctx.moveTo(x, y);
    // A path of one point draws nothing; to itself it draws a round dot.
    if (isOpen || isAlone(values, index, length)) ctx.lineTo(x, y);
    isOpen = true;
  }
}

function isAlone(values: Float32Array, index: number, length: number): boolean {
  return index + 1 >= length || Number.isNaN(values[index + 1]);
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

/** Fills under a line down to the panel's ground, or down to the layer below it. */
export function drawArea(
  ctx: CanvasRenderingContext2D,
  trace: DrawnTrace,
  map: PixelMap,
  ground: number,
): void {
  const { look } = trace.spec;
  if ((look !== 'stack' && look !== 'area') || trace.points.length === 0) return;
  ctx.globalAlpha = trace.alpha * areaAlpha[look];
  ctx.fillStyle = trace.colour;
  ctx.beginPath();
  areaPath(ctx, trace.points, map, ground);
  // The area of the layer below lies within this one's: even-odd leaves what is between them.
  if (trace.base) areaPath(ctx, trace.base, map, ground);
  ctx.fill('evenodd');
}

function areaPath(ctx: CanvasRenderingContext2D, points: Points, map: PixelMap, ground: number): void {
  const { timesMs, values, length } = points;
  let openX = NaN;
  let lastX = 0;
  for (let index = 0; index <= length; index += 1) {
    const value = index < length ? (values[index] as number) : NaN;
    if (value !== value) {
      if (openX === openX) {
        ctx.lineTo(lastX, ground);
        ctx.closePath();
      }
      openX = NaN;
      continue;
    }
    const x = map.x0 + (timesMs[index] as number) * map.xPerMs;
    if (openX !== openX) {
      openX = x;
      ctx.moveTo(x, ground);
    }
    ctx.lineTo(x, map.y0 + value * map.yPerUnit);
    lastX = x;
  }
}

/** Rings nearer than this would run into each other. */
const ringAirPx = 6;

/** Small open rings where a line ends and starts again. */
export function drawRings(
  ctx: CanvasRenderingContext2D,
  { points, colour, alpha }: DrawnTrace,
  map: PixelMap,
  ground: string,
): void {
  ctx.globalAlpha = alpha;
  ctx.setLineDash(noDash);
  ctx.lineWidth = 1.25;
  ctx.strokeStyle = colour;
  ctx.fillStyle = ground;
  let previousX = -Infinity;
  for (const index of points.gapEnds) {
    const x = map.x0 + (points.timesMs[index] ?? NaN) * map.xPerMs;
    const y = map.y0 + (points.values[index] ?? NaN) * map.yPerUnit;
    if (Number.isNaN(x + y) || x - previousX < ringAirPx) continue;
    previousX = x;
    ctx.beginPath();
    ctx.arc(x, y, 2.5, 0, Math.PI * 2);
    ctx.fill();
    ctx.stroke();
  }
}
