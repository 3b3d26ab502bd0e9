import type { PlayerInterval } from './playerStats';

/** Counters of the control player since it started on a stream, over all its connections. */
export interface PlayerTotals {
  readonly framesDropped: number | undefined;
  readonly freezeCount: number | undefined;
  readonly freezeDurationMs: number | undefined;
  readonly pauseCount: number | undefined;
  readonly packets: number | undefined;
  readonly packetsLost: number | undefined;
  readonly nacks: number | undefined;
  readonly keyframeRequests: number | undefined;
  readonly audioGaps: number | undefined;
}

const counters = [
  'framesDropped',
  'freezeCount',
  'freezeDurationMs',
  'pauseCount',
  'packets',
  'packetsLost',
  'nacks',
  'keyframeRequests',
  'audioGaps',
] as const;

const fromCounters = (value: (counter: (typeof counters)[number]) => number | undefined): PlayerTotals =>
  Object.fromEntries(counters.map((counter) => [counter, value(counter)])) as unknown as PlayerTotals;

export const noTotals: PlayerTotals = fromCounters(() => undefined);

function plus(total: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? total : (total ?? 0) + more;
}

export function addInterval(totals: PlayerTotals, interval: PlayerInterval): PlayerTotals {
  return fromCounters((counter) => plus(totals[counter], interval[counter]));
}

/** Packets lost of those expected, in percent; undefined until packets were counted. */
export function lostPercent({ packets, packetsLost }: PlayerTotals): number | undefined {
  if (packets === undefined || packetsLost === undefined) return undefined;
  const expected = packets + packetsLost;
  return expected > 0 ? (100 * Math.max(0, packetsLost)) / expected : undefined;
}
