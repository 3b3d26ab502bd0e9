import { roundStep, roundTimeStep, ticksEvery } from '../charts/drawing/scales';
import type { PlanStage } from '../model/audienceValues';
import { segmentsOf, maxViewers, totalTimeMs } from './loadProfile';

/** A point of the planned audience. */
export interface CurvePoint {
  readonly ms: number;
  readonly viewers: number;
}

/** The planned audience over time, for a drawing. */
export interface StageCurve {
  /** A line from 0 viewers to 0 viewers; two points of one time are a jump. */
  readonly points: readonly CurvePoint[];
  readonly peak: number;
  readonly lengthMs: number;
  /** Round figures for the axes, including 0. */
  readonly viewerTicks: readonly number[];
  readonly timeTicks: readonly number[];
}

const maxTimeSteps = 6;
const maxViewerSteps = 3;

/** The curve of valid stages; undefined behaviour for others. */
export function curveOf(stages: readonly PlanStage[], columns = 600): StageCurve {
  const stageSegments = segmentsOf(stages);
  const lengthMs = totalTimeMs(stageSegments);
  const points: CurvePoint[] = [{ ms: 0, viewers: 0 }];
  for (const { fromMs, toMs, fromViewers, toViewers } of stageSegments)
    points.push({ ms: fromMs, viewers: fromViewers }, { ms: toMs, viewers: toViewers });
  points.push({ ms: lengthMs, viewers: 0 });
  const peak = maxViewers(stageSegments);
  return {
    points: thinned(points, lengthMs / columns),
    peak,
    lengthMs,
    viewerTicks: ticksEvery(0, peak, roundStep(peak / maxViewerSteps)),
    timeTicks: ticksEvery(0, lengthMs, roundTimeStep(lengthMs / maxTimeSteps)),
  };
}

/** Reduces many points to the first, lowest, highest and last of each column. */
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
