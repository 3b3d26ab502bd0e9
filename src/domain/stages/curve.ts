import type { PlanStage } from '../plan/plan';
import { courseOf, mostViewers, wholeTimeMs } from './course';

/** A moment of the planned audience. */
export interface CurvePoint {
  readonly ms: number;
  readonly viewers: number;
}

/** The planned audience over time, for a drawing. */
export interface StageCurve {
  /** A line through these, from nobody to nobody; two of one moment are a jump. */
  readonly points: readonly CurvePoint[];
  readonly peak: number;
  readonly lengthMs: number;
  /** Round figures for the axes, 0 included. */
  readonly viewerTicks: readonly number[];
  readonly timeTicks: readonly number[];
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const timeSteps = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 28, 91].map((count) => count * day),
];
const mostTimeTicks = 6;

/** The curve of stages that can be; of others it says nothing true. */
export function curveOf(stages: readonly PlanStage[], columns = 600): StageCurve {
  const course = courseOf(stages);
  const lengthMs = wholeTimeMs(course);
  const points: CurvePoint[] = [{ ms: 0, viewers: 0 }];
  for (const { fromMs, toMs, fromViewers, toViewers } of course)
    points.push({ ms: fromMs, viewers: fromViewers }, { ms: toMs, viewers: toViewers });
  points.push({ ms: lengthMs, viewers: 0 });
  const peak = mostViewers(course);
  return {
    points: thinned(points, lengthMs / columns),
    peak,
    lengthMs,
    viewerTicks: viewerTicks(peak),
    timeTicks: timeTicks(lengthMs),
  };
}

/** Of more points than can be told apart, the first, lowest, highest and last of each column. */
function thinned(points: readonly CurvePoint[], columnMs: number): readonly CurvePoint[] {
  const kept: CurvePoint[] = [];
  let column: CurvePoint[] = [];
  const end = (): void => {
    if (column.length <= 4) kept.push(...column);
    else {
      const by = [...column].sort((a, b) => a.viewers - b.viewers);
      const wanted = new Set([column[0], by[0], by.at(-1), column.at(-1)]);
      kept.push(...column.filter((point) => wanted.has(point)));
    }
    column = [];
  };
  for (const point of points) {
    const [first] = column;
    if (first && Math.floor(first.ms / columnMs) !== Math.floor(point.ms / columnMs)) end();
    column.push(point);
  }
  end();
  return kept;
}

/** 0, and round figures up to the peak: 1, 2 or 5 of a power of ten apart, three steps at most. */
function viewerTicks(peak: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, peak)));
  const step =
    [power / 10, power / 5, power / 2, power, power * 2, power * 5].find(
      (each) => each >= 1 && peak / each <= 3,
    ) ?? power;
  return Array.from({ length: Math.floor(peak / step) + 1 }, (_, i) => i * step);
}

function timeTicks(lengthMs: number): readonly number[] {
  const step = timeSteps.find((each) => lengthMs / each <= mostTimeTicks) ?? lengthMs;
  return Array.from({ length: Math.floor(lengthMs / step) + 1 }, (_, i) => i * step);
}
