import type { ReportChart, ReportScene } from '../pageData';
import type { Line } from './lines.mjs';

interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

export const plotLeft: number;
/** What is inside the `svg` of a chart, whose `viewBox` is `0 0 width height`. */
export function drawChart(
  chart: ReportChart,
  lines: readonly ReadonlyMap<string, Line>[],
  scene: Pick<ReportScene, 'phases' | 'limited'>,
  range: TimeRange,
  width: number,
  height: number,
): string;
