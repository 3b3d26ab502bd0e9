import { describe, expect, it } from 'vitest';
import {
  profileBounds,
  endsMs,
  isHoldOver,
  judgedPhases,
  nextStep,
  phaseOf,
  targetViewers,
  type PullJobState,
  type PullState,
} from './pullSteps';

const job = (over: Partial<PullJobState> = {}): PullJobState => ({
  state: 'holding',
  waiting: 0,
  connecting: 0,
  connected: 100,
  present: 100,
  ...over,
});
const pull = (over: Partial<PullState> = {}): PullState => ({
  startedMs: 0,
  viewers: 100,
  ratePerSecond: 50,
  holdMs: 10_000,
  jobs: [job()],
  ...over,
});

describe('a pull', () => {
  it('waits during the ramp', () => {
    const arriving = pull({ jobs: [job({ state: 'ramping-up', waiting: 20 }), job()] });
    expect(nextStep(1500, arriving)).toBe('wait');
  });

  it('is full when no tester has connecting viewers', () => {
    expect(nextStep(2500, pull({ jobs: [job(), job({ connecting: 1 })] }))).toBe('wait');
    expect(nextStep(2500, pull({ jobs: [job(), job()] }))).toBe('full');
  });

  it('holds from then on, and ends after the planned time', () => {
    expect(nextStep(12_499, pull({ fullMs: 2500 }))).toBe('wait');
    expect(nextStep(12_500, pull({ fullMs: 2500 }))).toBe('leave');
  });

  it('holds until it is stopped if it has no planned end', () => {
    expect(nextStep(1e9, pull({ fullMs: 2500, holdMs: 0 }))).toBe('wait');
  });

  it('does not hold without viewers', () => {
    const withoutViewers = pull({ jobs: [job({ connected: 0, present: 0 })] });
    expect(nextStep(2500, withoutViewers)).toBe('leave');
  });

  it('is held a little longer after all viewers are lost, for the record', () => {
    const lost = pull({
      fullMs: 2500,
      emptySinceMs: 4000,
      jobs: [job({ state: 'ended', connected: 0, present: 0 })],
    });
    expect(nextStep(4000 + profileBounds.emptyMs - 1, lost)).toBe('wait');
    expect(nextStep(4000 + profileBounds.emptyMs, lost)).toBe('leave');
    expect(nextStep(9100, { ...lost, leaveMs: 9000 })).toBe('gone');
  });

  it('ends as planned also where no viewer is connected at that time', () => {
    const none = pull({ fullMs: 2000, emptySinceMs: 11_000, jobs: [job({ connected: 0 })] });
    expect([nextStep(12_000, none), isHoldOver(12_000, none)]).toEqual(['leave', true]);
    const early = { ...none, emptySinceMs: 3000 };
    expect([nextStep(11_999, early), isHoldOver(11_999, early)]).toEqual(['leave', false]);
    expect(isHoldOver(1e9, { ...none, holdMs: 0 })).toBe(false);
    expect(isHoldOver(1e9, { ...none, isControlled: true })).toBe(false);
    expect(isHoldOver(1e9, pull())).toBe(false);
  });

  it('gives up a ramp that never ends', () => {
    const stuck = pull({ jobs: [job({ state: 'ramping-up', waiting: 1 })] });
    const limitMs = 2000 * profileBounds.arrivalFactor + profileBounds.arrivalSlackMs;
    expect(nextStep(limitMs - 1, stuck)).toBe('wait');
    expect(nextStep(limitMs, stuck)).toBe('full');
  });

  it('that has to end is first stopped in order, then forced, finally killed', () => {
    const leaving = pull({ leaveMs: 20_000, jobs: [job({ state: 'tearing-down' })] });
    expect(nextStep(20_000 + profileBounds.forceAfterMs - 1, leaving)).toBe('wait');
    expect(nextStep(20_000 + profileBounds.forceAfterMs, leaving)).toBe('force');
    expect(nextStep(20_000 + profileBounds.killAfterMs, leaving)).toBe('kill');
  });

  it('is gone when no viewer is present any more, and not before', () => {
    expect(nextStep(30_000, pull({ leaveMs: 20_000, jobs: [job({ state: 'ended', present: 3 })] }))).toBe('wait');
    expect(nextStep(30_000, pull({ leaveMs: 20_000, jobs: [job({ state: 'ended', present: 0 })] }))).toBe('gone');
    expect(nextStep(1, pull({ jobs: [job({ state: 'failed', connected: 0, present: 0 })] }))).toBe('gone');
  });
});

it('the phase is that of the least advanced pull', () => {
  expect(phaseOf([pull()])).toBe('ramp');
  expect(phaseOf([pull({ fullMs: 1 }), pull()])).toBe('ramp');
  expect(phaseOf([pull({ fullMs: 1 }), pull({ leaveMs: 2 })])).toBe('hold');
  expect(phaseOf([pull({ leaveMs: 2 })])).toBe('drain');
});

it('returns the planned end of a run', () => {
  expect(endsMs([pull()])).toBe(12_000);
  expect(endsMs([pull({ fullMs: 3000 }), pull({ leaveMs: 20_000 })])).toBe(20_000);
  expect(endsMs([pull({ holdMs: 0 })])).toBeUndefined();
  expect(endsMs([])).toBeUndefined();
});

describe('the phases of a verdict', () => {
  const phases = [
    { name: 'prepare', startMs: 0, endMs: 10 },
    { name: 'ramp', startMs: 10, endMs: 20 },
    { name: 'hold', startMs: 20, endMs: 30 },
  ] as const;
  const part = (startedMs: number, fullMs: number, leaveMs: number): PullState => pull({ startedMs, fullMs, leaveMs });

  it('are those of the run if it has one pull', () => {
    expect(judgedPhases(phases, [part(10, 20, 30)])).toBe(phases);
  });

  it('hold until the last pull ends, from when the last one was complete', () => {
    for (const pulls of [
      [part(10, 20, 90), part(40, 50, 70)],
      [part(10, 20, 30), part(40, 50, 90)],
    ])
      expect(judgedPhases(phases, pulls).slice(1)).toEqual([
        { name: 'ramp', startMs: 10, endMs: 50 },
        { name: 'hold', startMs: 50, endMs: 90 },
      ]);
  });

  it('do not end with a pull of which no viewer ever connected', () => {
    expect(judgedPhases(phases, [part(10, 20, 90), pull({ startedMs: 10, leaveMs: 18 })]).slice(1)).toEqual([
      { name: 'ramp', startMs: 10, endMs: 20 },
      { name: 'hold', startMs: 20, endMs: 90 },
    ]);
  });

  it('have no hold when no pull was complete', () => {
    const never = pull({ startedMs: 10, leaveMs: 18 });
    expect(judgedPhases(phases, [never, never]).slice(1)).toEqual([{ name: 'ramp', startMs: 10, endMs: 18 }]);
  });
});

it('returns the planned ramp', () => {
  expect([-1, 0, 500, 2000, 9000].map((ms) => targetViewers(ms, pull(), 50))).toEqual([0, 0, 13, 50, 50]);
  expect(targetViewers(9000, pull({ leaveMs: 8000 }), 50)).toBe(0);
});
