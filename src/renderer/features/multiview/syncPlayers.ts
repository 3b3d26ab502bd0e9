import type { PlayerLag } from '../../player/figures/playerLag';

/** One of the players to be synchronised. */
export interface SyncedPlayer {
  readonly id: number;
  readonly lag: PlayerLag | undefined;
  /** By how much it is delayed to match the slowest, ms. */
  readonly heldMs: number;
  /** Since its delay was changed, ms; its lag follows with some seconds of delay. */
  readonly settledMs: number;
}

/** Players within this of each other count as synchronous, ms: the length of a frame at 25 per second. */
export const syncToleranceMs = 40;
/** A jitter buffer grows by and by. */
const settlingMs = 4000;

export interface SyncChange {
  readonly id: number;
  /** Play later by so much, or earlier if negative, ms. */
  readonly changeMs: number;
}

/**
 * The changes by which all players show the same time of the source: that of the slowest one without a delay of ours.
 * Only lags by the same clock are compared.
 */
export function syncChanges(players: readonly SyncedPlayer[]): readonly SyncChange[] {
  return players.flatMap((player) => {
    const behindMs = behindSlowestMs(player, players);
    if (behindMs === undefined || Math.abs(behindMs) <= syncToleranceMs || player.settledMs < settlingMs) return [];
    // It can't be earlier than it is without a delay of ours.
    const changeMs = Math.max(-player.heldMs, behindMs);
    return changeMs === 0 ? [] : [{ id: player.id, changeMs }];
  });
}

/** How much later a player has to play to match the slowest, ms; undefined if its lag or that of all others is unknown. */
export function behindSlowestMs(player: SyncedPlayer, players: readonly SyncedPlayer[]): number | undefined {
  const { lag } = player;
  const sameClock = players.filter((player) => player.lag !== undefined && player.lag.by === lag?.by);
  if (lag === undefined || sameClock.length < 2) return undefined;
  return Math.max(...sameClock.map((each) => (each.lag?.lagMs ?? 0) - each.heldMs)) - lag.lagMs;
}
