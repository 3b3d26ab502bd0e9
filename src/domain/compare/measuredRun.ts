import type { RunView } from '../run';
import type { SeriesId } from '../series';
import type { Values } from '../windows';
import { testersOf } from './describeRun';

/** What a comparison reads of a run. */
export interface MeasuredRun {
  readonly view: RunView;
  /** The samples of a node (its id in the view) and series; empty where nothing was measured. */
  readonly values: (node: string, series: SeriesId) => Values;
  /** Arrival to first media packet of every viewer that got in, ms, in any order; empty where no list was kept. */
  readonly connectMs: readonly number[];
}

/** One value a second from a moment on; NaN where nothing was measured. */
export interface Grid {
  readonly fromMs: number;
  readonly values: Float64Array;
}

/** The time that is looked at: from the first arrival until the audience leaves, Unix ms. */
export interface ComparedTime {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Longest time that is laid on a grid: what is longer is no run but a mistake of somebody's clock. */
const longestMs = 14 * 24 * 3600_000;
const stepMs = 1000;
/** A value holds for so many seconds when the next one is late. */
const heldSlots = 2;

export function comparedTime({ phases, startedMs, endedMs, figures }: RunView): ComparedTime {
  const there = phases.filter(({ name }) => name === 'ramp' || name === 'hold');
  const fromMs = there[0]?.startMs ?? startedMs;
  const lastMs = endedMs ?? figures.timeMs;
  const toMs = there.length > 0 ? Math.max(...there.map(({ endMs }) => endMs ?? lastMs)) : lastMs;
  return { fromMs, toMs: Math.max(fromMs + stepMs, Math.min(toMs, fromMs + longestMs)) };
}

/** A series second by second. `held` fills short silences with the value before. */
function gridOf({ timeMs, value }: Values, time: ComparedTime, held = true): Grid {
  const values = new Float64Array(Math.floor((time.toMs - time.fromMs) / stepMs) + 1).fill(NaN);
  timeMs.forEach((each, i) => {
    const slot = Math.floor((each - time.fromMs) / stepMs);
    const measured = value[i];
    // Two samples in one second: the later one, but the larger where it is a peak that counts.
    if (slot < 0 || slot >= values.length || measured === undefined) return;
    const before = values[slot] ?? NaN;
    values[slot] = held || Number.isNaN(before) ? measured : Math.max(before, measured);
  });
  if (held) hold(values);
  return { fromMs: time.fromMs, values };
}

/** The same; undefined where nothing was measured. */
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

/** Several nodes' series as one. A sum is unknown in a second in which one of them is silent between its first and last word. */
function combined(grids: readonly Grid[], how: Combine): Grid | undefined {
  const [first] = grids;
  if (!first || grids.length === 1) return first;
  const spoken = grids.map(({ values }) => [
    values.findIndex((value) => value === value),
    lastMeasured(values),
  ]);
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

/** A series of all testers together; undefined where none has it. */
export function testerGrid(
  run: MeasuredRun,
  time: ComparedTime,
  series: SeriesId,
  how: Combine,
  held = true,
): Grid | undefined {
  const grids = testersOf(run.view).flatMap(
    ({ id }) => measuredGrid(run.values(id, series), time, held) ?? [],
  );
  return combined(grids, how);
}

/** The value at a moment; undefined where nothing was measured. */
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
