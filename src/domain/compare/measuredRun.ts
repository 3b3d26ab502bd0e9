import type { RunView } from '../model/run';
import { audiencesWithPercentiles } from '../plan/audiences';
import { percentileSeriesOf } from '../series/distributions';
import type { SeriesId } from '../series/series';
import type { Values } from '../series/windows';
import { testersOf } from './describeRun';

/** What a comparison reads of a run. */
export interface MeasuredRun {
  readonly view: RunView;
  /** The samples of a node (its id in the view) and series; empty if nothing was measured. */
  readonly values: (node: string, series: SeriesId) => Values;
  /**
   * Time from arrival to first media packet of every connected viewer, ms, in any order; empty if no list was saved.
   */
  readonly connectMs: readonly number[];
}

/** One value a second from a start time on; NaN where nothing was measured. */
export interface Grid {
  readonly fromMs: number;
  readonly values: Float64Array;
}

/** The compared time: from the first arrival until the ramp-down, Unix ms. */
export interface ComparedTime {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Longest time that a grid covers: anything longer is a wrong clock. */
const longestMs = 14 * 24 * 3600_000;
const stepMs = 1000;
/** How many seconds a value holds when the next one is late. */
const heldSlots = 2;

export function comparedTime({ phases, startedMs, endedMs, figures }: RunView): ComparedTime {
  const there = phases.filter(({ name }) => name === 'ramp' || name === 'hold');
  const fromMs = there[0]?.startMs ?? startedMs;
  const lastMs = endedMs ?? figures.timeMs;
  const toMs = there.length > 0 ? Math.max(...there.map(({ endMs }) => endMs ?? lastMs)) : lastMs;
  return { fromMs, toMs: Math.max(fromMs + stepMs, Math.min(toMs, fromMs + longestMs)) };
}

/** A series second by second. `held` fills short gaps with the value before. */
function gridOf({ timeMs, value }: Values, time: ComparedTime, held = true): Grid {
  const values = new Float64Array(Math.floor((time.toMs - time.fromMs) / stepMs) + 1).fill(NaN);
  timeMs.forEach((ms, i) => {
    const slot = Math.floor((ms - time.fromMs) / stepMs);
    const measured = value[i];
    // Two samples in one second: the later one, or for a peak the larger one.
    if (slot < 0 || slot >= values.length || measured === undefined) return;
    const before = values[slot] ?? NaN;
    values[slot] = held || Number.isNaN(before) ? measured : Math.max(before, measured);
  });
  if (held) hold(values);
  return { fromMs: time.fromMs, values };
}

/** The grid of values; undefined if nothing was measured. */
export function measuredGrid(values: Values, time: ComparedTime, held = true): Grid | undefined {
  return values.timeMs.length > 0 ? gridOf(values, time, held) : undefined;
}

function hold(values: Float64Array): void {
  let silent = 0;
  for (let slot = 1; slot < values.length; slot += 1) {
    silent = Number.isNaN(values[slot] ?? NaN) ? silent + 1 : 0;
    if (silent > 0 && silent <= heldSlots) values[slot] = values[slot - silent] ?? NaN;
  }
}

export type Combine = 'sum' | 'most' | 'least';

/**
 * Several nodes' series as one. A sum is unknown in a second in which one of them has a gap between its first and last
 * sample.
 */
function combined(grids: readonly Grid[], how: Combine): Grid | undefined {
  const [first] = grids;
  if (!first || grids.length === 1) return first;
  const spoken = grids.map(({ values }) => [values.findIndex((value) => value === value), lastMeasured(values)]);
  const values = first.values.map((_, slot) => {
    let result = NaN;
    for (const [i, grid] of grids.entries()) {
      const value = grid.values[slot] ?? NaN;
      const [from = -1, to = -1] = spoken[i] ?? [];
      if (Number.isNaN(value)) {
        if (how === 'sum' && from >= 0 && slot >= from && slot <= to) return NaN;
        continue;
      }
      if (Number.isNaN(result)) result = value;
      else if (how === 'sum') result += value;
      else result = how === 'most' ? Math.max(result, value) : Math.min(result, value);
    }
    return result;
  });
  return { fromMs: first.fromMs, values };
}

function lastMeasured(values: Float64Array): number {
  for (let slot = values.length - 1; slot >= 0; slot -= 1) if (values[slot] === values[slot]) return slot;
  return -1;
}

/** A series of all testers combined; undefined if none has it. */
export function testerGrid(
  run: MeasuredRun,
  time: ComparedTime,
  series: SeriesId,
  how: Combine,
  held = true,
): Grid | undefined {
  const grids = subjectsOf(run, series).flatMap((id) => measuredGrid(run.values(id, series), time, held) ?? []);
  return combined(grids, how);
}

/** Where a series of viewers is: a percentile of audiences that have their own, everything else of the testers. */
function subjectsOf({ view, values }: MeasuredRun, series: SeriesId): readonly string[] {
  const audiences = percentileSeriesOf(series) ? audiencesWithPercentiles(view.plan) : [];
  const measured = audiences.map(({ id }) => id).filter((id) => values(id, series).timeMs.length > 0);
  return measured.length > 0 ? measured : testersOf(view).map(({ id }) => id);
}

/** The value at a time; undefined if nothing was measured. */
export function valueAt({ fromMs, values }: Grid, timeMs: number): number | undefined {
  const value = values[Math.floor((timeMs - fromMs) / stepMs)];
  return value === undefined || Number.isNaN(value) ? undefined : value;
}

/** The measured values, ascending. */
export function sortedValues(grid: Grid | undefined): Float64Array {
  return grid ? grid.values.filter((value) => value === value).sort() : new Float64Array();
}

export function mostOf(grid: Grid | undefined): number | undefined {
  return sortedValues(grid).at(-1);
}
