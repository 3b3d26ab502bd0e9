import { roundStep, roundTimeStep, ticksEvery } from '../charts/drawing/scales';
import { formatFigure, missing } from '../text/numberFormat';
import { formatAxisTime } from '../text/timeFormat';
import { closestValue, linesOf } from './compareScales';
import type { Comparison } from './comparison';
import type { Alignment } from './curves';

/** A chart as a table: the value of every run at round positions of the axis. */
export interface CurveTable {
  readonly title: string;
  readonly about: string;
  readonly rows: ReadonlyArray<{
    readonly place: number;
    readonly values: ReadonlyArray<number | undefined>;
  }>;
}

/** Rows of a table: enough to see the curve, few enough to read. */
const maxRows = 10;

export function curveTables(comparison: Comparison, alignment: Alignment): readonly CurveTable[] {
  return comparison.charts.flatMap((chart) => {
    const lines = linesOf(chart, alignment);
    const end = Math.max(0, ...lines.map(({ x }) => x.at(-1) ?? 0));
    if (end <= 0) return [];
    const step = alignment === 'time' ? roundTimeStep(end / maxRows) : roundStep(end / maxRows);
    const places = ticksEvery(step, end, step);
    const rows = places
      .map((place) => ({ place, values: lines.map((line) => closestValue(line, place, step / 2)) }))
      .filter(({ values }) => values.some((value) => value !== undefined));
    return [{ title: chart.title, about: chart.about, rows }];
  });
}

/** A label of the axis: `250`, or `1:30`. */
export function placeText(place: number, alignment: Alignment): string {
  return alignment === 'viewers' ? formatFigure(place, 'integer') : formatAxisTime(place);
}

export function curveValue(value: number | undefined): string {
  return value === undefined ? missing : formatFigure(value, 'adaptive');
}
