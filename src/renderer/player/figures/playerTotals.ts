import type { PlayerInterval } from './playerStats';

/** Counters of the control player since it started on a stream, over all its connections. */
export interface PlayerTotals {
  readonly framesDropped: number | undefined;
  readonly packets: number | undefined;
  readonly packetsLost: number | undefined;
}

export const noTotals: PlayerTotals = {
  framesDropped: undefined,
  packets: undefined,
  packetsLost: undefined,
};

function plus(total: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? total : (total ?? 0) + more;
}

export function addInterval(totals: PlayerTotals, interval: PlayerInterval): PlayerTotals {
  return {
    framesDropped: plus(totals.framesDropped, interval.framesDropped),
    packets: plus(totals.packets, interval.packets),
    packetsLost: plus(totals.packetsLost, interval.packetsLost),
  };
}

/** Packets lost of those expected, in percent; undefined until packets were counted. */
export function lostPercent({ packets, packetsLost }: PlayerTotals): number | undefined {
  if (packets === undefined || packetsLost === undefined) return undefined;
  const expected = packets + packetsLost;
  return expected > 0 ? (100 * Math.max(0, packetsLost)) / expected : undefined;
}
