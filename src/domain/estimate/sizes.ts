import { isLimited } from '../tester/testerLimit';
import type { RunView, TesterLimit } from '../model/run';
import { gapSteps, usualStepMs } from '../series/gap';
import { firstAfter, type Values } from '../series/windows';
import type { MeasuredSize } from './estimate';
import type { Point } from './line';
import { median } from './statistics';

/** An interval with one audience size; Unix ms, without the transition before it. */
export interface HeldInterval {
  readonly fromMs: number;
  readonly toMs: number;
  readonly viewers: number;
}

export interface Sizes {
  readonly intervals: readonly HeldInterval[];
  /** Measured during the ramp, since too few sizes were held. */
  readonly duringRamp: boolean;
  /** Time excluded because testers were at their own limit. */
  readonly limitedMs: number;
  /** Time excluded because other programs kept a host busy. */
  readonly busyMs: number;
}

/** After a change of size: connecting costs more than watching, and figures are means over a second or more. */
export const settleMs = 4000;
/** Samples are averaged over this time, so that a single second has little weight. */
const blockMs = 2500;
const minInBlock = 2;
/** A ramp is read in pieces of this length. */
const pieceMs = 5000;
const minPieces = 8;
const minHeldMs = 4000;
/** A long run has larger blocks rather than more. */
const maxBlocks = 150;
/** Sizes closer than this count as one: viewers fail and reconnect. */
const sameSize = 0.02;
const stepMs = usualStepMs;
const staleMs = gapSteps * stepMs;
export const minSizes = 3;
/** If a larger share of the audience connects each second, a piece spans too many sizes. */
const fastestArrival = 0.02;

/**
 * The audience sizes that a run held, from the counts of its testers, without intervals in which testers were at their
 * own limit or other programs kept a host busy.
 */
export function sizesOf(
  view: Pick<RunView, 'phases' | 'endedMs' | 'figures'>,
  counts: ReadonlyArray<{ readonly tester: string; readonly values: Values }>,
  limits: readonly TesterLimit[],
  isBusyAt: (timeMs: number) => boolean = () => false,
): Sizes {
  const observations: Array<{ timeMs: number; viewers: number }> = [];
  let limitedMs = 0;
  let busyMs = 0;
  const places = counts.map(() => 0);
  const { fromMs, toMs } = loadedTime(view);
  for (let timeMs = fromMs; timeMs <= toMs; timeMs += stepMs) {
    const viewers = counts.map(({ values }, i) => {
      let place = places[i] ?? 0;
      while ((values.timeMs[place] ?? Infinity) <= timeMs) place += 1;
      places[i] = place;
      const isFresh = timeMs - (values.timeMs[place - 1] ?? -Infinity) <= staleMs;
      return isFresh ? values.value[place - 1] : undefined;
    });
    if (viewers.some((viewer) => viewer === undefined)) continue;
    const sum = viewers.reduce<number>((total, viewer) => total + (viewer ?? 0), 0);
    // A busy machine may be why a tester was at its limit.
    if (sum > 0 && isBusyAt(timeMs)) busyMs += stepMs;
    else if (counts.some(({ tester }) => isLimited(limits, tester, timeMs, timeMs))) limitedMs += stepMs;
    // An idle origin may save resources in ways that it can't with one viewer.
    else if (sum > 0) observations.push({ timeMs, viewers: sum });
  }
  const held = heldIntervals(observations);
  const ramp = new Set(held.map(({ viewers }) => viewers)).size < minSizes ? rampIntervals(observations) : [];
  // A fast ramp shows no sizes: those that were held, if too few, are what the run has.
  return { intervals: ramp.length > 0 ? ramp : held, duringRamp: ramp.length > 0, limitedMs, busyMs };
}

/** From the first arrival until the final ramp-down. */
function loadedTime({ phases, endedMs, figures }: Pick<RunView, 'phases' | 'endedMs' | 'figures'>): {
  fromMs: number;
  toMs: number;
} {
  const loaded = phases.filter(({ name }) => name === 'ramp' || name === 'hold');
  const last = loaded.at(-1);
  return {
    fromMs: loaded[0]?.startMs ?? Infinity,
    toMs: (last && last.endMs) ?? endedMs ?? figures.timeMs,
  };
}

function heldIntervals(observations: ReadonlyArray<{ timeMs: number; viewers: number }>): HeldInterval[] {
  const intervals: Array<Array<{ timeMs: number; viewers: number }>> = [];
  for (const each of observations) {
    const [first] = intervals.at(-1) ?? [];
    const last = intervals.at(-1)?.at(-1);
    const goesOn =
      first &&
      last &&
      each.timeMs - last.timeMs <= 2 * stepMs &&
      Math.abs(each.viewers - first.viewers) <= spread(first.viewers);
    if (goesOn) intervals.at(-1)?.push(each);
    else intervals.push([each]);
  }
  const settled = intervals.flatMap((interval): HeldInterval[] => {
    const fromMs = (interval[0]?.timeMs ?? 0) + settleMs;
    // Each node samples on its own clock: the last sample may already include the next change.
    const toMs = (interval.at(-1)?.timeMs ?? 0) - stepMs;
    const counted = interval.filter(({ timeMs }) => timeMs >= fromMs);
    const viewers = median(counted.map((each) => each.viewers));
    return toMs - fromMs >= minHeldMs ? [{ fromMs, toMs, viewers }] : [];
  });
  return joined(settled);
}

/** Sizes that occurred twice, or nearly so, count as one. */
function joined(intervals: readonly HeldInterval[]): HeldInterval[] {
  const sizes: number[] = [];
  for (const size of [...new Set(intervals.map(({ viewers }) => viewers))].sort((a, b) => a - b))
    if (size - (sizes.at(-1) ?? -Infinity) > spread(size)) sizes.push(size);
  return intervals.map((interval) => ({
    ...interval,
    viewers: sizes.filter((size) => size <= interval.viewers).at(-1) ?? interval.viewers,
  }));
}

function spread(viewers: number): number {
  return Math.max(1, sameSize * viewers);
}

/** Blocks of a slow ramp, each with its mean size. */
function rampIntervals(observations: ReadonlyArray<{ timeMs: number; viewers: number }>): HeldInterval[] {
  const most = Math.max(0, ...observations.map(({ viewers }) => viewers));
  const intervals: HeldInterval[] = [];
  for (let from = 0; from < observations.length;) {
    const fromMs = observations[from]?.timeMs ?? 0;
    let to = from;
    while ((observations[to]?.timeMs ?? Infinity) < fromMs + pieceMs) to += 1;
    const block = observations.slice(from, to);
    from = to;
    const [first, last] = [block[0]?.viewers ?? 0, block.at(-1)?.viewers ?? 0];
    const seconds = pieceMs / 1000;
    if (block.length < seconds || Math.abs(last - first) > fastestArrival * seconds * most) continue;
    const viewers = block.reduce((sum, each) => sum + each.viewers, 0) / block.length;
    intervals.push({ fromMs, toMs: fromMs + pieceMs, viewers });
  }
  return intervals.length >= minPieces ? intervals : [];
}

/** A series at the sizes: means over some seconds each. */
export function pointsOf(values: Values, intervals: readonly HeldInterval[]): Point[] {
  return blocksOf(intervals).flatMap(({ fromMs, toMs, viewers }) => {
    const inside = within(values, fromMs, toMs);
    if (inside.length < minInBlock) return [];
    const value = inside.reduce((sum, reading) => sum + reading, 0) / inside.length;
    return [{ viewers, value, weight: inside.length }];
  });
}

/** A statistic of all samples of each size, if there are enough. */
export function pointsBySize(
  values: Values,
  intervals: readonly HeldInterval[],
  figure: (values: readonly number[]) => number | undefined,
  least: number,
): Point[] {
  return [...new Set(intervals.map(({ viewers }) => viewers))].flatMap((viewers) => {
    const all = intervals
      .filter((interval) => interval.viewers === viewers)
      .flatMap(({ fromMs, toMs }) => within(values, fromMs, toMs));
    const value = all.length >= least ? figure(all) : undefined;
    return value === undefined ? [] : [{ viewers, value, weight: 1 }];
  });
}

export function measuredSizes(intervals: readonly HeldInterval[]): MeasuredSize[] {
  const seconds = new Map<number, number>();
  for (const { viewers, fromMs, toMs } of intervals)
    seconds.set(viewers, (seconds.get(viewers) ?? 0) + (toMs - fromMs) / 1000);
  return [...seconds]
    .map(([viewers, each]) => ({ viewers, seconds: Math.round(each) }))
    .sort((a, b) => a.viewers - b.viewers);
}

function blocksOf(intervals: readonly HeldInterval[]): HeldInterval[] {
  const wholeMs = intervals.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const lengthMs = Math.max(blockMs, wholeMs / maxBlocks);
  return intervals.flatMap(({ fromMs, toMs, viewers }) => {
    const count = Math.max(1, Math.floor((toMs - fromMs) / lengthMs + 0.2));
    const eachMs = (toMs - fromMs) / count;
    return Array.from({ length: count }, (_, i) => ({
      fromMs: fromMs + i * eachMs,
      toMs: fromMs + (i + 1) * eachMs,
      viewers,
    }));
  });
}

function within({ timeMs, value }: Values, fromMs: number, toMs: number): number[] {
  const from = firstAfter(timeMs, fromMs);
  return value.slice(from, firstAfter(timeMs, toMs));
}
