import { describe, expect, it } from 'vitest';
import { capacityText, playerCapacity } from './playerCapacity';

const load = { cores: 2, machineBusyPercent: 40, windowCpuPercent: 70 };

describe('capacity for players', () => {
  it('counts how many players fit beside everything else that runs', () => {
    // 60 % for 3 players: 20 % each; the rest of the machine needs 20 %, and 170 % may be used.
    expect(playerCapacity(3, load, 10)).toEqual({ playersCpuPercent: 60, fairPlayers: 7, isTooBusy: false });
  });

  it('never exceeds what the window shows', () => {
    expect(playerCapacity(4, { ...load, cores: 16 }, 10)?.fairPlayers).toBe(9);
    expect(playerCapacity(1, { ...load, windowCpuPercent: 5 }, 10)?.fairPlayers).toBe(9);
  });

  it('reports a machine that is too busy, and how many it could play', () => {
    const busy = { cores: 2, machineBusyPercent: 97, windowCpuPercent: 130 };
    const capacity = playerCapacity(6, busy, 10);
    expect(capacity).toMatchObject({ playersCpuPercent: 120, fairPlayers: 4, isTooBusy: true });
    expect(capacity && capacityText(6, capacity)).toBe(
      '6 players use 120 % of a core; this machine is too busy to judge them: play max 4',
    );
    const others = playerCapacity(1, { ...busy, windowCpuPercent: 12 }, 10);
    expect(others && capacityText(1, others)).toBe(
      '1 player uses 2 % of a core; this machine is too busy to judge it: free some CPU first',
    );
  });

  it('knows nothing without players', () => {
    expect(playerCapacity(0, load, 10)).toBeUndefined();
  });
});
