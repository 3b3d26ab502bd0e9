import { describe, expect, it } from 'vitest';
import { detailedCount, detailedViewers, worstViewers, type RankedViewer } from './detailedViewers';

const row = (viewer: number, of: Partial<RankedViewer> & { readonly packets?: number } = {}): RankedViewer => ({
  ...{ tester: 'one', job: 'pull-1', viewer, state: 'disconnected' },
  ...{ packets: 100, bytes: 1000, lost: 0, frames: 50, stalls: 0, stalledMs: 0, degraded: false },
  ...of,
});

describe('viewers whose details are kept', () => {
  it('lists the failed first, then by time degraded, stalls, loss and time to connect', () => {
    const rows = [
      row(1, { connectMs: 20 }),
      row(2, { connectMs: 400 }),
      row(3, { lossPercent: 3 }),
      row(4, { stalls: 1, stalledMs: 700, lossPercent: 9 }),
      row(5, { degradedMs: 2000, connectMs: 10 }),
      row(6, { degradedMs: 9000 }),
      row(7, { state: 'failed', packets: 0 }),
    ];
    expect(worstViewers(rows, 7).map(({ viewer }) => viewer)).toEqual([7, 6, 5, 4, 3, 2, 1]);
    expect(worstViewers(rows, 2).map(({ viewer }) => viewer)).toEqual([7, 6]);
  });

  it('are the worst 20 and 20 random others, the same ones for the same run', () => {
    const rows = Array.from({ length: 500 }, (_, index) => row(index + 1, { connectMs: index }));
    const chosen = detailedViewers(rows, 'run-1');
    expect(chosen).toHaveLength(detailedCount.worst + detailedCount.random);
    expect(new Set(chosen).size).toBe(40);
    expect(chosen.slice(0, 20).map(({ viewer }) => viewer)).toEqual(
      Array.from({ length: 20 }, (_, index) => 500 - index),
    );
    expect(detailedViewers(rows, 'run-1')).toEqual(chosen);
    expect(detailedViewers(rows, 'run-2')).not.toEqual(chosen);
    // Random: from the complete list, not from its start.
    const random = chosen.slice(20).map(({ viewer }) => viewer);
    expect(Math.min(...random)).toBeLessThan(150);
    expect(Math.max(...random)).toBeGreaterThan(330);
  });

  it('are all of a small audience, except viewers that never started', () => {
    const rows = [row(1), row(2), row(3, { state: 'waiting' })];
    expect(detailedViewers(rows, 'x').map(({ viewer }) => viewer)).toEqual([1, 2]);
  });
});
