import { gapSteps, usualStepMs } from '../series/gap';
import { between, firstAfter, type Values } from '../series/windows';
import { endOfHoldMs } from './verdictRules';

/** A size of an audience that is held. Unix ms. */
export interface HeldSize {
  readonly fromMs: number;
  readonly toMs: number;
  readonly requested: number;
  /** Since when viewers count for the level that the hold has to keep. */
  readonly rampFromMs: number;
  /** The size begins when it is first met: testers receive their targets slightly later than these are recorded. */
  readonly beginsWhenMet?: boolean;
  /** Viewers are replaced as planned: no shorter interval is an outage. */
  readonly plannedDipMs?: number;
}

/** An interval in which too few viewers were connected. */
export interface FoundOutage {
  readonly fromMs: number;
  readonly toMs: number;
  readonly lowest: number;
  readonly lowestMs: number;
  readonly requested: number;
  /** It lasted to the end of the hold. */
  readonly isUntilEnd?: true;
}

export interface TimeInterval {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface FoundOutages {
  readonly outages: readonly FoundOutage[];
  /** Where one of the sources has no data. */
  readonly gaps: readonly TimeInterval[];
  /** Held time with data. */
  readonly heldMs: number;
}

const maxStepMs = gapSteps * usualStepMs;

/**
 * The outages of an audience: intervals of its holds in which fewer of its viewers were connected than `sharePercent` of
 * the size. Of an audience that never reached this share, the share of the most that were connected: viewers that never
 * connected are no outage, those lost are. An outage lasts from the first sample below to the first one that is not, or
 * to the end of the hold; where data are missing it ends, since nothing is known. `sources` are the connected viewers of
 * each tester, or of the audience.
 */
export function findOutages(
  sources: readonly Values[],
  holds: readonly HeldSize[],
  sharePercent: number,
): FoundOutages {
  const counted = sources.filter(({ timeMs }) => timeMs.length > 0);
  if (counted.length === 0) return { outages: [], gaps: [], heldMs: 0 };
  const found = holds.filter(({ fromMs, toMs }) => toMs > fromMs).map((hold) => inHold(counted, hold, sharePercent));
  return {
    outages: found.flatMap(({ outages }) => outages),
    gaps: found.flatMap(({ gaps }) => gaps),
    heldMs: found.reduce((sum, { heldMs }) => sum + heldMs, 0),
  };
}

function inHold(sources: readonly Values[], hold: HeldSize, sharePercent: number): FoundOutages {
  const { requested, rampFromMs, toMs } = hold;
  const peak = Math.max(0, ...totals(sources, rampFromMs, toMs).map(({ connected }) => connected));
  const demanded = (sharePercent / 100) * requested;
  // Without the tolerance of one part in a billion 99 % of 100 would be more than 99.
  const level = (peak >= demanded - 1e-9 ? demanded : (sharePercent / 100) * peak) - 1e-9;
  const inside = totals(sources, hold.fromMs, toMs);
  const first = hold.beginsWhenMet ? inside.find(({ connected }) => connected >= level)?.timeMs : hold.fromMs;
  const fromMs = first ?? toMs;
  const gaps = mergedIntervals(sources.flatMap((source) => gapsOf(source, fromMs, toMs)));
  const missingMs = lengthOf(gaps);
  const points = inside.filter(({ timeMs }) => timeMs >= fromMs && !gaps.some((gap) => isWithin(timeMs, gap)));
  const outages = below(points, gaps, level, { ...hold, fromMs });
  const { plannedDipMs = 0 } = hold;
  return {
    outages: outages.filter((outage) => outage.toMs - outage.fromMs > plannedDipMs),
    gaps,
    heldMs: toMs - fromMs - missingMs,
  };
}

interface Total {
  readonly timeMs: number;
  readonly connected: number;
}

/** All sources together at each of their samples, once each of them has one. */
function totals(sources: readonly Values[], fromMs: number, toMs: number): Total[] {
  const samples = sources.flatMap((source, place) => {
    const { timeMs, value } = between(source, fromMs, toMs);
    return timeMs.map((ms, i) => ({ place, timeMs: ms, value: value[i] ?? 0 }));
  });
  samples.sort((a, b) => a.timeMs - b.timeMs);
  const latest = new Map<number, number>();
  // A tester whose part has ended before has none within.
  const expected = new Set(samples.map(({ place }) => place)).size;
  const all: Total[] = [];
  let connected = 0;
  samples.forEach(({ place, timeMs, value }, i) => {
    connected += value - (latest.get(place) ?? 0);
    latest.set(place, value);
    // The last of several totals at one time has all samples.
    if (latest.size === expected && samples[i + 1]?.timeMs !== timeMs) all.push({ timeMs, connected });
  });
  return all;
}

/** Intervals of a hold without samples of one source. */
function gapsOf({ timeMs }: Values, fromMs: number, toMs: number): TimeInterval[] {
  const before = timeMs[firstAfter(timeMs, fromMs) - 1] ?? fromMs;
  const inside = timeMs.filter((ms) => ms > fromMs && ms < toMs);
  const ends = [Math.max(before, fromMs - usualStepMs), ...inside, toMs];
  return ends.flatMap((end, i): TimeInterval[] => {
    const next = ends[i + 1];
    if (next === undefined || next - end <= maxStepMs) return [];
    return [{ fromMs: Math.max(end, fromMs), toMs: next }];
  });
}

/** Overlapping intervals as one each, in order of time. */
export function mergedIntervals(all: readonly TimeInterval[]): TimeInterval[] {
  const merged: TimeInterval[] = [];
  for (const { fromMs, toMs } of [...all].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1);
    if (last && fromMs <= last.toMs) merged[merged.length - 1] = { ...last, toMs: Math.max(last.toMs, toMs) };
    else merged.push({ fromMs, toMs });
  }
  return merged;
}

export const lengthOf = (all: readonly TimeInterval[]): number =>
  all.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);

const isWithin = (timeMs: number, gap: TimeInterval): boolean => timeMs > gap.fromMs && timeMs < gap.toMs;

function below(points: readonly Total[], gaps: readonly TimeInterval[], level: number, hold: HeldSize): FoundOutage[] {
  const outages: FoundOutage[] = [];
  let open: FoundOutage | undefined;
  const close = (toMs: number, isUntilEnd = false): void => {
    if (open && toMs > open.fromMs) outages.push({ ...open, toMs, ...(isUntilEnd && { isUntilEnd }) });
    open = undefined;
  };
  points.forEach(({ timeMs, connected }, i) => {
    const before = points[i - 1]?.timeMs;
    const gap = gaps.find(({ fromMs, toMs }) => before !== undefined && fromMs >= before && toMs <= timeMs);
    // A single sample before a gap stands for one step.
    if (gap && open) close(Math.max(gap.fromMs, Math.min(open.fromMs + usualStepMs, gap.toMs)));
    if (connected >= level) close(timeMs);
    else if (!open)
      open = { fromMs: timeMs, toMs: timeMs, lowest: connected, lowestMs: timeMs, requested: hold.requested };
    else if (connected < open.lowest) open = { ...open, lowest: connected, lowestMs: timeMs };
  });
  const last = gaps.find(({ toMs }) => toMs >= hold.toMs);
  if (open && last) close(Math.max(last.fromMs, Math.min(open.fromMs + usualStepMs, last.toMs)));
  // Viewers start to disconnect as the hold ends.
  else if (open && hold.toMs - open.fromMs > endOfHoldMs) close(hold.toMs, true);
  return outages;
}
