import { describe, expect, it } from 'vitest';
import { behindSlowestMs, syncChanges, type SyncedPlayer } from './syncPlayers';

function player(id: number, lagMs: number | undefined, more: Partial<SyncedPlayer> = {}): SyncedPlayer {
  const lag = lagMs === undefined ? undefined : ({ lagMs, by: 'pattern' } as const);
  return { id, lag, heldMs: 0, settledMs: 10_000, ...more };
}

describe('synchronous players', () => {
  it('delays the others to the slowest', () => {
    expect(syncChanges([player(1, 100), player(2, 900), player(3, 2500)])).toEqual([
      { id: 1, changeMs: 2400 },
      { id: 2, changeMs: 1600 },
    ]);
  });

  it('follows a slowest one that became faster, but never below what a player needs', () => {
    // Player 2 was the slowest with 2.5 s and now needs 900 ms only.
    const players = [player(1, 2500, { heldMs: 2400 }), player(2, 900)];
    expect(syncChanges(players)).toEqual([{ id: 1, changeMs: -1600 }]);
    expect(syncChanges([player(1, 100, { heldMs: 50 }), player(2, 0)])).toEqual([
      { id: 1, changeMs: -50 },
      { id: 2, changeMs: 50 },
    ]);
  });

  it('waits until an earlier change has settled', () => {
    expect(syncChanges([player(1, 100, { heldMs: 2400, settledMs: 1000 }), player(2, 2500)])).toEqual([]);
  });

  it('leaves out players without a lag, and compares only lags by the same clock', () => {
    const bySender = player(3, 5000, { lag: { lagMs: 5000, by: 'sender' } });
    const players = [player(1, 100), player(2, undefined), bySender, player(4, 130)];
    expect(syncChanges(players)).toEqual([]);
    expect(behindSlowestMs(bySender, players)).toBeUndefined();
    expect(players.slice(0, 1).map((player) => behindSlowestMs(player, players))).toEqual([30]);
  });
});
