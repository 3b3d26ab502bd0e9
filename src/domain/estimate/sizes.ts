import { isLimited } from '../tester/testerLimit';
import type { RunView, TesterLimit } from '../run';
import { firstAfter, type Values } from '../windows';
import type { SizeSeen } from './estimate';
import type { Point } from './line';
import { median } from './statistics';

/** A time in which the audience had one size; Unix ms, what belongs to the change before it is left out. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  readonly viewers: number;
}

export interface Sizes {
  readonly stretches: readonly Stretch[];
  /** Seen while viewers arrived, since too few sizes were held. */
  readonly whileArriving: boolean;
  /** Time that was left out because testers were at their own limit. */
  readonly limitedMs: number;
}

/** After a change of size: arrivals cost more than watching, and figures are means over a second or more. */
export const settleMs = 4000;
/** Samples are put together over this time, so that a single second weighs little. */
const blockMs = 2500;
const leastInBlock = 2;
/** A ramp is read in pieces of this length. */
const pieceMs = 5000;
const leastPieces = 8;
const leastHeldMs = 4000;
/** A long run has larger blocks rather than more. */
const mostBlocks = 150;
/** Sizes nearer than this are one: viewers fail and come back. */
const sameSize = 0.02;
const staleMs = 2500;
const stepMs = 1000;
export const leastSizes = 3;
/** Where a larger share of the audience arrives each second, a piece is of too many sizes. */
const fastestArrival = 0.02;

/** The sizes of the audience that a run held, from the counts of its testers, without what testers at their own limit may have spoilt. */
export function sizesOf(
  view: Pick<RunView, 'phases' | 'endedMs' | 'figures'>,
  counts: ReadonlyArray<{ readonly tester: string; readonly values: Values }>,
  limits: readonly TesterLimit[],
): Sizes {
  const seen: Array<{ timeMs: number; viewers: number }> = [];
  let limitedMs = 0;
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
    if (viewers.some((each) => each === undefined)) continue;
    const sum = viewers.reduce<number>((total, each) => total + (each ?? 0), 0);
    if (counts.some(({ tester }) => isLimited(limits, tester, timeMs, timeMs))) limitedMs += stepMs;
    // An origin without anybody may rest in ways that it does not with one viewer.
    else if (sum > 0) seen.push({ timeMs, viewers: sum });
  }
  const held = heldStretches(seen);
  const whileArriving = new Set(held.map(({ viewers }) => viewers)).size < leastSizes;
  const stretches = whileArriving ? arrivingStretches(seen) : held;
  return { stretches, whileArriving, limitedMs };
}

/** From the first arrival until the audience leaves for good. */
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

function heldStretches(seen: ReadonlyArray<{ timeMs: number; viewers: number }>): Stretch[] {
  const stretches: Array<Array<{ timeMs: number; viewers: number }>> = [];
  for (const each of seen) {
    const [first] = stretches.at(-1) ?? [];
    const last = stretches.at(-1)?.at(-1);
    const goesOn =
      first &&
      last &&
      each.timeMs - last.timeMs <= 2 * stepMs &&
      Math.abs(each.viewers - first.viewers) <= spread(first.viewers);
    if (goesOn) stretches.at(-1)?.push(each);
    else stretches.push([each]);
  }
  const settled = stretches.flatMap((stretch): Stretch[] => {
    const fromMs = (stretch[0]?.timeMs ?? 0) + settleMs;
    // Every node samples on a second of its own clock: the last one may know of the next change already.
    const toMs = (stretch.at(-1)?.timeMs ?? 0) - stepMs;
    const counted = stretch.filter(({ timeMs }) => timeMs >= fromMs);
    const viewers = median(counted.map((each) => each.viewers));
    return toMs - fromMs >= leastHeldMs ? [{ fromMs, toMs, viewers }] : [];
  });
  return joined(settled);
}

/** Sizes that came twice, or nearly so, are one size. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const sizes: number[] = [];
  for (const size of [...new Set(stretches.map(({ viewers }) => viewers))].sort((a, b) => a - b))
    if (size - (sizes.at(-1) ?? -Infinity) > spread(size)) sizes.push(size);
  return stretches.map((stretch) => ({
    ...stretch,
    viewers: sizes.filter((size) => size <= stretch.viewers).at(-1) ?? stretch.viewers,
  }));
}

function spread(viewers: number): number {
  return Math.max(1, sameSize * viewers);
}

/** Blocks of a slow ramp, each with its mean size. */
function arrivingStretches(seen: ReadonlyArray<{ timeMs: number; viewers: number }>): Stretch[] {
  const most = Math.max(0, ...seen.map(({ viewers }) => viewers));
  const stretches: Stretch[] = [];
  for (let from = 0; from < seen.length;) {
    const fromMs = seen[from]?.timeMs ?? 0;
    let to = from;
    while ((seen[to]?.timeMs ?? Infinity) < fromMs + pieceMs) to += 1;
    const block = seen.slice(from, to);
    from = to;
    const [first, last] = [block[0]?.viewers ?? 0, block.at(-1)?.viewers ?? 0];
    const seconds = pieceMs / 1000;
    if (block.length < seconds || Math.abs(last - first) > fastestArrival * seconds * most) continue;
    const viewers = block.reduce((sum, each) => sum + each.viewers, 0) / block.length;
    stretches.push({ fromMs, toMs: fromMs + pieceMs, viewers });
  }
  return stretches.length >= leastPieces ? stretches : [];
}

/** A series at the sizes: means over some seconds each. */
export function pointsOf(values: Values, stretches: readonly Stretch[]): Point[] {
  return blocksOf(stretches).flatMap(({ fromMs, toMs, viewers }) => {
    const inside = within(values, fromMs, toMs);
    if (inside.length < leastInBlock) return [];
    const value = inside.reduce((sum, each) => sum + each, 0) / inside.length;
    return [{ viewers, value, weight: inside.length }];
  });
}

/** A figure made of all samples of each size, where there are enough of them. */
export function pointsBySize(
  values: Values,
  stretches: readonly Stretch[],
  figure: (values: readonly number[]) => number | undefined,
  least: number,
): Point[] {
  return [...new Set(stretches.map(({ viewers }) => viewers))].flatMap((viewers) => {
    const all = stretches
      .filter((stretch) => stretch.viewers === viewers)
      .flatMap(({ fromMs, toMs }) => within(values, fromMs, toMs));
    const value = all.length >= least ? figure(all) : undefined;
    return value === undefined ? [] : [{ viewers, value, weight: 1 }];
  });
}

export function sizesSeen(stretches: readonly Stretch[]): SizeSeen[] {
  const seconds = new Map<number, number>();
  for (const { viewers, fromMs, toMs } of stretches)
    seconds.set(viewers, (seconds.get(viewers) ?? 0) + (toMs - fromMs) / 1000);
  return [...seconds]
    .map(([viewers, each]) => ({ viewers, seconds: Math.round(each) }))
    .sort((a, b) => a.viewers - b.viewers);
}

function blocksOf(stretches: readonly Stretch[]): Stretch[] {
  const wholeMs = stretches.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const lengthMs = Math.max(blockMs, wholeMs / mostBlocks);
  return stretches.flatMap(({ fromMs, toMs, viewers }) => {
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
