import type { ComparedChart, ComparedRun } from '../../domain/compare/comparison';
import type { Alignment, CurveLine } from '../../domain/compare/curves';
import { linesOf } from '../../domain/compare/curveTable';
import { roundTop, scaleRange, timeStep, timeTicks, type ScaleRange } from '../charts/scales';

/** What the charts can be laid on. */
export const alignments: readonly { readonly value: Alignment; readonly text: string }[] = [
  { value: 'viewers', text: 'viewers connected' },
  { value: 'time', text: 'run time' },
];

/** Those that have something to draw on this axis. */
export function drawnOn(alignment: Alignment, charts: readonly ComparedChart[]): readonly ComparedChart[] {
  return charts.filter((chart) => linesOf(chart, alignment).some(({ x }) => x.length > 0));
}

/** The end of an axis that all charts share. */
export function axisEnd(charts: readonly ComparedChart[], alignment: Alignment): number {
  const ends = charts.flatMap((chart) => linesOf(chart, alignment).map(({ x }) => x.at(-1) ?? 0));
  const end = Math.max(0, ...ends);
  if (alignment === 'viewers') return roundTop(Math.max(2, end));
  return Math.max(10_000, end);
}

/** Where a run met its first limit, on this axis. */
export function limitPlace(run: ComparedRun, alignment: Alignment): number | undefined {
  return alignment === 'viewers' ? run.limitViewers : run.limitMs;
}

/** The scale of a chart: percent of the whole machine always to 100, others to a round number above data and limit. */
export function valueRange(chart: ComparedChart, lines: readonly CurveLine[]): ScaleRange {
  if (chart.id === 'cpu') return { low: 0, high: 100 };
  const values = lines.flatMap(({ y }) => y).filter((value) => value !== null);
  const highest = Math.max(0, ...values);
  const wish = { low: 0, high: (chart.limit ?? 0) * 1.2 || 1, fixed: false };
  return scaleRange(wish, { lowest: 0, highest }, undefined);
}

/** Pixels that a number under the axis needs. */
const numberPx = 44;

export function axisTicks(end: number, alignment: Alignment, widthPx: number): readonly number[] {
  if (alignment === 'time') return timeTicks(0, end, timeStep(end, widthPx, end));
  const least = (end / Math.max(1, widthPx)) * numberPx;
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  const step = [1, 2, 2.5, 5, 10]
    .map((digit) => digit * power)
    .find((each) => each >= least && each % 1 === 0);
  const ticks: number[] = [];
  for (let at = 0; at <= end; at += step ?? end) ticks.push(at);
  return ticks;
}

/** The value of a line at a place: that of the nearest point, when one is near. */
export function nearestValue({ x, y }: CurveLine, at: number, within: number): number | undefined {
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
