import { describe, expect, it } from 'vitest';
import type { PlanStage } from '../../../domain/plan/plan';
import type { HouseSeen, Wish } from './director';
import { StagedDirector } from './stagedDirector';

/** Follows the stages second by second in a house where everybody arrives `slowMs` after the plan's line. */
function followed(stages: readonly PlanStage[], slowMs = 0): Array<[number, Wish | 'end']> {
  const director = new StagedDirector(stages);
  const said: Array<[number, Wish | 'end']> = [];
  let wanted = 0;
  let wishedMs = 0;
  for (let nowMs = 0; nowMs < 600_000; nowMs += 1000) {
    const isSettled = nowMs >= wishedMs + slowMs;
    const seen: HouseSeen = { nowMs, wanted, settledMs: isSettled ? nowMs : undefined };
    const wish = director.next(seen);
    if (!wish) continue;
    said.push([nowMs / 1000, wish]);
    if (wish === 'end') return said;
    wanted = wish.viewers;
    wishedMs = nowMs;
  }
  throw new Error('It never ended.');
}
const levels = (said: ReturnType<typeof followed>): Array<[number, number | 'end']> =>
  said.map(([s, wish]) => [s, wish === 'end' ? wish : wish.viewers]);

describe('a staged course', () => {
  it('goes up, stays and ends', () => {
    const said = followed([
      { kind: 'ramp', viewers: 100, overMs: 10_000 },
      { kind: 'hold', forMs: 20_000 },
    ]);
    expect(levels(said)).toEqual([
      [0, 100],
      [10, 100],
      [30, 'end'],
    ]);
    expect(said[0]?.[1]).toMatchObject({
      ratePerSecond: 10,
      sentence: 'Stage 1 of 2, ramp: from 0 to 100 viewers in 10 s',
    });
  });

  it('waits for those who are late, so that every level is held for as long as it was meant to be', () => {
    const said = followed(
      [
        { kind: 'ramp', viewers: 100, overMs: 10_000 },
        { kind: 'hold', forMs: 20_000 },
      ],
      25_000,
    );
    expect(levels(said)).toEqual([
      [0, 100],
      [25, 100],
      [45, 'end'],
    ]);
  });

  it('goes down in a line, in parts that can leave by themselves', () => {
    const said = followed([
      { kind: 'ramp', viewers: 30, overMs: 1000 },
      { kind: 'ramp', viewers: 0, overMs: 3000 },
    ]);
    expect(levels(said)).toEqual([
      [0, 30],
      [1, 30],
      [2, 20],
      [3, 10],
      [4, 'end'],
    ]);
    expect(said[0]?.[1]).toMatchObject({ grain: 10 });
  });

  it('falls back at once after a spike', () => {
    const said = followed([
      { kind: 'ramp', viewers: 20, overMs: 1000 },
      { kind: 'spike', viewers: 60, forMs: 2000, ratePerSecond: 40 },
      { kind: 'hold', forMs: 1000 },
    ]);
    expect(levels(said)).toEqual([
      [0, 20],
      [1, 60],
      [2, 60],
      [4, 20],
      [5, 'end'],
    ]);
  });

  it('replaces some, again and again', () => {
    const said = followed([
      { kind: 'ramp', viewers: 50, overMs: 1000 },
      { kind: 'churn', forMs: 7000, replacePercent: 10, everyMs: 3000, ratePerSecond: 5 },
    ]);
    expect(said.map(([s, wish]) => [s, wish === 'end' ? wish : wish.replace])).toEqual([
      [0, undefined],
      [1, 5],
      [4, 5],
      [7, 5],
      [8, 'end'],
    ]);
    expect(said[0]?.[1]).toMatchObject({ grain: 5 });
  });

  it('says when it ends', () => {
    const director = new StagedDirector([{ kind: 'ramp', viewers: 10, overMs: 5000 }]);
    const seen = { wanted: 0 };
    director.next({ ...seen, nowMs: 1000 });
    expect(director.endsMs).toBe(6000);
    expect(director.next({ ...seen, nowMs: 7000, settledMs: 6500 })).toBe('end');
  });
});
