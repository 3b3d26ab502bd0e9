import { z } from 'zod';
import { roundStep } from '../charts/drawing/scales';
import { originOf } from './describeRun';
import { measuredGrid, testerGrid, type Combine, type ComparedTime, type Grid, type MeasuredRun } from './measuredRun';
import { hostValuesOf } from '../node/hostValues';
import { percentile } from '../series/percentile';
import type { ExpectationId } from '../model/plan';
import { publishesOnly } from '../model/publisherGroup';
import { immutable } from '../model/schema';
import type { SeriesId } from '../series/series';

/** The quantities compared between runs, second by second. */
export const curveIds = [
  'viewers',
  'cpu',
  'gc',
  'degraded',
  'connect',
  'jitter',
  'frameRate',
  'mediaOut',
  'memory',
] as const;
export type CurveId = (typeof curveIds)[number];

export interface CurveDefinition {
  readonly title: string;
  /** Its quantity with unit, e.g. `% of all cores`. */
  readonly about: string;
  readonly unit: string;
  /** The expectation that sets its limit. */
  readonly limit?: ExpectationId;
  /** How an interval becomes one point: a mean would hide peaks. */
  readonly inTime: 'mean' | 'most';
  /** Percentile over what was measured at one audience size. */
  readonly inBin: number;
  /** Measured only occasionally, so that missing samples are no gap. */
  readonly isSparse?: boolean;
  /** Left out of the small panel, which shows the first three charts with data. */
  readonly isOnlySideBySide?: true;
}

export const curves: Readonly<Record<CurveId, CurveDefinition>> = {
  viewers: { title: 'Viewers', about: 'connected', unit: '', inTime: 'mean', inBin: 50, isOnlySideBySide: true },
  cpu: { title: 'CPU', about: '% of all cores', unit: '%', limit: 'cpu', inTime: 'mean', inBin: 50 },
  gc: {
    title: 'GC pause',
    about: 'ms, p95 per step',
    unit: 'ms',
    limit: 'gcPause',
    inTime: 'most',
    inBin: 95,
    isSparse: true,
  },
  degraded: {
    title: 'Degraded',
    about: '% of viewers',
    unit: '%',
    limit: 'degraded',
    inTime: 'most',
    inBin: 50,
  },
  connect: {
    title: 'Connect p50',
    about: 'ms, of new viewers',
    unit: 'ms',
    inTime: 'mean',
    inBin: 50,
    isSparse: true,
  },
  jitter: { title: 'Jitter p95', about: 'ms', unit: 'ms', inTime: 'mean', inBin: 50 },
  frameRate: {
    title: 'Frame rate',
    about: 'fps, median viewer',
    unit: 'fps',
    inTime: 'mean',
    inBin: 50,
    isOnlySideBySide: true,
  },
  mediaOut: { title: 'Media', about: 'Mbit/s to all viewers', unit: 'Mbit/s', inTime: 'mean', inBin: 50 },
  memory: {
    title: 'Server memory',
    about: 'MiB, own process',
    unit: 'MiB',
    inTime: 'mean',
    inBin: 50,
    isOnlySideBySide: true,
  },
};

/** Every series that a comparison reads. */
export const comparedSeries: readonly SeriesId[] = [
  'viewersConnected',
  'publishersLive',
  'publishMbps',
  'viewersDegraded',
  'cpuPercent',
  'gcPauseMs',
  'connectP50Ms',
  'jitterP95Ms',
  'frameRate',
  'originOutMbps',
  'processMemoryBytes',
];

const bytesPerMiB = 2 ** 20;

/** Viewers connected, or publishers alone, all testers together. */
export function audienceGrid(run: MeasuredRun, time: ComparedTime): Grid | undefined {
  const series = publishesOnly(run.view.plan) ? 'publishersLive' : 'viewersConnected';
  return testerGrid(run, time, series, 'sum');
}

/** One quantity of a run, second by second; undefined where it was not measured. */
export function curveGrid(
  run: MeasuredRun,
  time: ComparedTime,
  audience: Grid | undefined,
  id: CurveId,
): Grid | undefined {
  const testers = (series: SeriesId, how: Combine): Grid | undefined => testerGrid(run, time, series, how);
  switch (id) {
    case 'viewers':
      return audience;
    case 'cpu':
      return hostGrid(run, time, 'cpuPercent');
    case 'gc':
      return originGrid(run, time, 'gcPauseMs', false);
    case 'degraded':
      return shareOf(testers('viewersDegraded', 'sum'), audience);
    case 'connect':
      // No value is held: a second without new viewers has none.
      return testerGrid(run, time, 'connectP50Ms', 'most', false);
    case 'jitter':
      return testers('jitterP95Ms', 'most');
    case 'frameRate':
      return testers('frameRate', 'least');
    case 'mediaOut':
      return originGrid(run, time, 'originOutMbps') ?? testers('mediaInMbps', 'sum');
    case 'memory':
      return scaled(originGrid(run, time, 'processMemoryBytes'), 1 / bytesPerMiB);
  }
}

/** A figure of the origin; undefined if it was not measured. */
export function originGrid(run: MeasuredRun, time: ComparedTime, series: SeriesId, isHeld = true): Grid | undefined {
  const origin = originOf(run.view);
  return origin && measuredGrid(run.values(origin.id, series), time, isHeld);
}

function hostGrid(run: MeasuredRun, time: ComparedTime, series: SeriesId): Grid | undefined {
  const { view, values } = run;
  const origin = originOf(view);
  return origin && measuredGrid(hostValuesOf({ nodes: view.nodes, values }, origin, series), time);
}

function shareOf(part: Grid | undefined, all: Grid | undefined): Grid | undefined {
  if (!part || !all) return undefined;
  const values = part.values.map((value, slot) => {
    const whole = all.values[slot] ?? NaN;
    return whole > 0 ? Math.min(100, (100 * value) / whole) : NaN;
  });
  return { fromMs: part.fromMs, values };
}

function scaled(grid: Grid | undefined, factor: number): Grid | undefined {
  return grid && { fromMs: grid.fromMs, values: grid.values.map((value) => value * factor) };
}

/** The common axis of the charts: viewers connected, or time since the first arrival. */
export const alignments = ['viewers', 'time'] as const;
export type Alignment = (typeof alignments)[number];

/** Points of a chart's line: ms since the first arrival, or viewers; null breaks the line. */
export const curveLine = immutable(z.object({ x: z.array(z.number()), y: z.array(z.number().nullable()) }));
export type CurveLine = z.infer<typeof curveLine>;

/** Approximate maximum of points per line: two per pixel column of a chart of usual width. */
const maxCurvePoints = 400;

/** A curve over run time, in intervals of whole seconds. */
export function lineOverTime(grid: Grid | undefined, definition: CurveDefinition): CurveLine {
  const x: number[] = [];
  const y: Array<number | null> = [];
  if (!grid) return { x, y };
  const { values } = grid;
  const width = Math.max(1, Math.ceil(values.length / maxCurvePoints));
  for (let slot = 0; slot < values.length; slot += width) {
    const measured = values.subarray(slot, slot + width).filter((value) => value === value);
    const isEmpty = measured.length === 0;
    if (isEmpty && (definition.isSparse === true || y.at(-1) === null || y.length === 0)) continue;
    x.push((slot + (Math.min(width, values.length - slot) - 1) / 2) * 1000);
    y.push(
      isEmpty
        ? null
        : definition.inTime === 'most'
          ? Math.max(...measured)
          : measured.reduce((sum, value) => sum + value, 0) / measured.length,
    );
  }
  return { x, y };
}

/** A curve over the audience size: one point per `step` viewers with a measurement. */
export function lineOverViewers(
  grid: Grid | undefined,
  audience: Grid | undefined,
  step: number,
  definition: CurveDefinition,
): CurveLine {
  const bins = new Map<number, number[]>();
  grid?.values.forEach((value, slot) => {
    const viewers = audience?.values[slot] ?? NaN;
    if (Number.isNaN(value) || Number.isNaN(viewers) || viewers <= 0) return;
    const bin = Math.round(viewers / step);
    const known = bins.get(bin);
    if (known) known.push(value);
    else bins.set(bin, [value]);
  });
  const order = [...bins.keys()].sort((a, b) => a - b);
  const median = (bin: number): number => {
    const sorted = (bins.get(bin) ?? []).sort((a, b) => a - b);
    return percentile(sorted, definition.inBin) ?? NaN;
  };
  return { x: order.map((bin) => bin * step), y: order.map(median) };
}

/** Viewers per point such that the largest audience takes about a hundred points: 1, 2, 5, 10, 20 ... */
export function binStep(maxViewers: number): number {
  return roundStep(maxViewers / 100);
}
