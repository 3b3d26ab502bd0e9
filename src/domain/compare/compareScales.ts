import { Points } from '../charts/drawing/decimate';
import type { ComparedChart, ComparedRun } from './comparison';
import type { Alignment, CurveLine } from './curves';
import { roundStep, roundTop, scaleRange, timeStep, ticksEvery, type ScaleRange } from '../charts/drawing/scales';

/** The lines of a chart, one per run. */
export function linesOf(chart: ComparedChart, alignment: Alignment): readonly CurveLine[] {
  return alignment === 'viewers' ? chart.overViewers : chart.overTime;
}

const dashes: ReadonlyArray<readonly number[]> = [[4, 3], [], [1.5, 2.5], [8, 3, 1.5, 3], [10, 4]];

/** The dash of a run's line by its letter: two runs of one server differ, on the screen and in black-and-white print. */
export function runDash(run: number): readonly number[] {
  return dashes[run % dashes.length] ?? [];
}

/** Possible x axes of the charts. */
export const alignmentChoices: readonly { readonly value: Alignment; readonly text: string }[] = [
  { value: 'viewers', text: 'viewers connected' },
  { value: 'time', text: 'run time' },
];

/** Charts with data on this axis. */
export function drawnOn(alignment: Alignment, charts: readonly ComparedChart[]): readonly ComparedChart[] {
  return charts.filter((chart) => linesOf(chart, alignment).some(({ x }) => x.length > 0));
}

/** End of the shared axis. */
export function axisEnd(charts: readonly ComparedChart[], alignment: Alignment): number {
  const ends = charts.flatMap((chart) => linesOf(chart, alignment).map(({ x }) => x.at(-1) ?? 0));
  const end = Math.max(0, ...ends);
  if (alignment === 'viewers') return roundTop(Math.max(2, end));
  return Math.max(10_000, end);
}

/** Where a run reached its first limit, on this axis. */
export function limitPlace(run: ComparedRun, alignment: Alignment): number | undefined {
  return alignment === 'viewers' ? run.limitViewers : run.limitMs;
}

/** A name at a place of an axis, in pixels. */
export interface AxisName {
  readonly text: string;
  readonly x: number;
  readonly width: number;
}

/** Between two names of a row, in pixels. */
const nameGapPx = 8;

/** Names around their places, in the lowest row (0) in which they touch no other, and inside the plot. */
export function namesInRows(
  names: readonly AxisName[],
  { left, right }: { readonly left: number; readonly right: number },
): ReadonlyArray<AxisName & { readonly left: number; readonly row: number }> {
  const takenTo: number[] = [];
  return [...names]
    .sort((a, b) => a.x - b.x)
    .map((name) => {
      const from = Math.min(right - name.width, Math.max(left + 3, name.x - name.width / 2));
      const free = takenTo.findIndex((end) => from >= end + nameGapPx);
      const row = free < 0 ? takenTo.length : free;
      takenTo[row] = from + name.width;
      return { ...name, left: from, row };
    });
}

/** The scale of a chart: percent of the whole machine always to 100, others to a round number above data and limit. */
export function valueRange(chart: ComparedChart, lines: readonly CurveLine[]): ScaleRange {
  if (chart.id === 'cpu') return { low: 0, high: 100 };
  const values = lines.flatMap(({ y }) => y).filter((value) => value !== null);
  const highest = Math.max(0, ...values);
  const most = chart.unit === '%' ? 100 : Infinity;
  const requested = { low: 0, high: Math.min(most, (chart.limit ?? 0) * 1.2 || 1), fixed: false, most };
  return scaleRange(requested, { lowest: 0, highest }, undefined);
}

/** Width of an axis label in pixels. */
const numberPx = 44;

export function axisTicks(end: number, alignment: Alignment, widthPx: number): readonly number[] {
  if (alignment === 'time') return ticksEvery(0, end, timeStep(end, widthPx, end));
  const least = (end / Math.max(1, widthPx)) * numberPx;
  return ticksEvery(0, end, roundStep(least, [1, 2, 2.5, 5, 10]));
}

/** A line ready to draw, broken where nothing was measured. */
export function pointsOf({ x, y }: CurveLine): Points {
  const points = new Points();
  x.forEach((place, i) => points.push(place, y[i] ?? NaN));
  return points;
}

/** The value of a line at a position: that of the closest point within reach. */
export function closestValue({ x, y }: CurveLine, at: number, within: number): number | undefined {
  let best: number | undefined;
  let least = within;
  x.forEach((place, i) => {
    const value = y[i];
    const distance = Math.abs(place - at);
    if (value === null || value === undefined || distance > least) return;
    least = distance;
    best = value;
  });
  return best;
}
