import { describe, expect, it } from 'vitest';
import type { PlanStage } from '../../../domain/model/audienceValues';
import type { AudienceState, AudienceTarget } from './loadController';
import { StagedLoadController } from './stagedLoadController';

/** Follows the stages second by second with viewers that connect `slowMs` after the planned time. */
function followed(stages: readonly PlanStage[], slowMs = 0): Array<[number, AudienceTarget | 'end']> {
  const controller = new StagedLoadController(stages);
  const targets: Array<[number, AudienceTarget | 'end']> = [];
  let wanted = 0;
  let targetMs = 0;
  for (let nowMs = 0; nowMs < 600_000; nowMs += 1000) {
    const isSettled = nowMs >= targetMs + slowMs;
    const seen: AudienceState = { nowMs, wanted, settledMs: isSettled ? nowMs : undefined };
    const target = controller.next(seen);
    if (!target) continue;
    targets.push([nowMs / 1000, target]);
    if (target === 'end') return targets;
    wanted = target.viewers;
    targetMs = nowMs;
  }
  throw new Error('It never ended.');
}
const levels = (targets: ReturnType<typeof followed>): Array<[number, number | 'end']> =>
  targets.map(([s, target]) => [s, target === 'end' ? target : target.viewers]);

describe('a load profile with stages', () => {
  it('ramps up, holds and ends', () => {
    const targets = followed([
      { kind: 'ramp', viewers: 100, overMs: 10_000 },
      { kind: 'hold', forMs: 20_000 },
    ]);
    expect(levels(targets)).toEqual([
      [0, 100],
      [10, 100],
      [30, 'end'],
    ]);
    expect(targets[0]?.[1]).toMatchObject({
      ratePerSecond: 10,
      sentence: 'Stage 1 of 2, ramp: from 0 to 100 viewers in 10 s',
    });
  });

  it('waits for late viewers, so that every level is held for its full time', () => {
    const targets = followed(
      [
        { kind: 'ramp', viewers: 100, overMs: 10_000 },
        { kind: 'hold', forMs: 20_000 },
      ],
      25_000,
    );
    expect(levels(targets)).toEqual([
      [0, 100],
      [25, 100],
      [45, 'end'],
    ]);
  });

  it('ramps down linearly, in parts that can end separately', () => {
    const targets = followed([
      { kind: 'ramp', viewers: 30, overMs: 1000 },
      { kind: 'ramp', viewers: 0, overMs: 3000 },
    ]);
    expect(levels(targets)).toEqual([
      [0, 30],
      [1, 30],
      [2, 20],
      [3, 10],
      [4, 'end'],
    ]);
    expect(targets[0]?.[1]).toMatchObject({ grain: 10 });
  });

  it('drops at once after a spike', () => {
    const targets = followed([
      { kind: 'ramp', viewers: 20, overMs: 1000 },
      { kind: 'spike', viewers: 60, forMs: 2000, ratePerSecond: 40 },
      { kind: 'hold', forMs: 1000 },
    ]);
    expect(levels(targets)).toEqual([
      [0, 20],
      [1, 60],
      [2, 60],
      [4, 20],
      [5, 'end'],
    ]);
  });

  it('replaces some viewers repeatedly', () => {
    const targets = followed([
      { kind: 'ramp', viewers: 50, overMs: 1000 },
      { kind: 'churn', forMs: 7000, replacePercent: 10, everyMs: 3000, ratePerSecond: 5 },
    ]);
    expect(targets.map(([s, target]) => [s, target === 'end' ? target : target.replace])).toEqual([
      [0, undefined],
      [1, 5],
      [4, 5],
      [7, 5],
      [8, 'end'],
    ]);
    expect(targets[0]?.[1]).toMatchObject({ grain: 5 });
  });

  it('returns its planned end', () => {
    const controller = new StagedLoadController([{ kind: 'ramp', viewers: 10, overMs: 5000 }]);
    const seen = { wanted: 0 };
    controller.next({ ...seen, nowMs: 1000 });
    expect(controller.endsMs).toBe(6000);
    expect(controller.next({ ...seen, nowMs: 7000, settledMs: 6500 })).toBe('end');
  });
});
