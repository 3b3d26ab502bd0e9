import { formatFigure, missing } from '../numberFormat';
import { formatAxisTime } from '../timeFormat';
import type { ComparedChart, Comparison } from './comparison';
import type { Alignment, CurveLine } from './curves';

/** A chart in numbers: the value of every run at round places of the axis. */
export interface CurveTable {
  readonly title: string;
  readonly about: string;
  readonly rows: ReadonlyArray<{
    readonly place: number;
    readonly values: ReadonlyArray<number | undefined>;
  }>;
}

export function linesOf(chart: ComparedChart, alignment: Alignment): readonly CurveLine[] {
  return alignment === 'viewers' ? chart.overViewers : chart.overTime;
}

/** Rows of a table: enough to see the course, few enough to read. */
const mostRows = 10;

export function curveTables(comparison: Comparison, alignment: Alignment): readonly CurveTable[] {
  return comparison.charts.flatMap((chart) => {
    const lines = linesOf(chart, alignment);
    const end = Math.max(0, ...lines.map(({ x }) => x.at(-1) ?? 0));
    if (end <= 0) return [];
    const step = roundStep(end / mostRows, alignment);
    const places = Array.from({ length: Math.floor(end / step) }, (_, i) => (i + 1) * step);
    const rows = places
      .map((place) => ({ place, values: lines.map((line) => near(line, place, step / 2)) }))
      .filter(({ values }) => values.some((value) => value !== undefined));
    return [{ title: chart.title, about: chart.about, rows }];
  });
}

/** A place on the axis for people: `250`, or `1:30`. */
export function placeText(place: number, alignment: Alignment): string {
  return alignment === 'viewers' ? formatFigure(place, 'integer') : formatAxisTime(place);
}

function roundStep(least: number, alignment: Alignment): number {
  if (alignment === 'time') {
    const seconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];
    return (seconds.find((each) => each * 1000 >= least) ?? 86_400) * 1000;
  }
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= least) ?? Math.ceil(least);
}

/** The point nearest to a place, within a reach; undefined where nothing was measured. */
function near({ x, y }: CurveLine, place: number, reach: number): number | undefined {
  let best: number | undefined;
  let least = reach;
  x.forEach((at, i) => {
    const value = y[i];
    if (value === null || value === undefined || Math.abs(at - place) > least) return;
    least = Math.abs(at - place);
    best = value;
  });
  return best;
}

export function curveValue(value: number | undefined): string {
  return value === undefined ? missing : formatFigure(value, 'adaptive');
}
