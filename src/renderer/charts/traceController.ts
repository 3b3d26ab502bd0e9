import {
  DatasetController,
  type CartesianScaleTypeRegistry,
  type ChartDataset,
  type ControllerDatasetOptions,
  type CoreChartOptions,
  type Scale,
} from 'chart.js';
import { drawArea, drawRings, drawTrace, type DrawnTrace, type PixelMap } from './drawTrace';

/** What a panel's dataset carries instead of data points. */
export interface TracesDataset {
  traces: readonly DrawnTrace[];
  /** Start of the run: the axis counts from there, samples count from 1970. */
  startedMs: number;
  /** Ground inside the rings at the ends of a gap; without one there are no rings. */
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

/** With more points or traces than these in a panel its lines are drawn the cheap way. */
const densePoints = 2500;
const denseTraces = 8;

/**
 * Draws all traces of a panel straight from typed arrays. chart.js's own line controller makes an object per point on
 * every update, which for 12 charts of 16 nodes is most of the cost; scales, layout and export remain chart.js's.
 */
export class TraceController extends DatasetController<'traces'> {
  static readonly id = 'traces';
  /** chart.js wants a kind of element to exist; since there are no data points, none is ever made. */
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
    if (ringGround !== undefined)
      for (const trace of traces) if (trace.shown) drawRings(ctx, trace, map, ringGround);
    ctx.restore();
  }
}

/** Where a panel's samples are drawn, as its scales were laid out. */
export function pixelMap(xScale: Scale, yScale: Scale, startedMs: number): PixelMap {
  const xPerMs = (xScale.right - xScale.left) / (xScale.max - xScale.min);
  const yPerUnit = (yScale.top - yScale.bottom) / (yScale.max - yScale.min);
  return {
    x0: xScale.left - (startedMs + xScale.min) * xPerMs,
    xPerMs,
    y0: yScale.bottom - yScale.min * yPerUnit,
    yPerUnit,
  };
}

function isTraces(dataset: ChartDataset): dataset is ChartDataset & TracesDataset {
  return 'traces' in dataset;
}
