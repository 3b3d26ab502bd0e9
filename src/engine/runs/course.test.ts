import { describe, expect, it } from 'vitest';
import {
  courseBounds,
  endsMs,
  judgedPhases,
  nextStep,
  phaseOf,
  wantedViewers,
  type JobSeen,
  type PullSeen,
} from './course';

const job = (over: Partial<JobSeen> = {}): JobSeen => ({
  state: 'holding',
  waiting: 0,
  connecting: 0,
  connected: 100,
  present: 100,
  ...over,
});
const pull = (over: Partial<PullSeen> = {}): PullSeen => ({
  startedMs: 0,
  viewers: 100,
  ratePerSecond: 50,
  holdMs: 10_000,
  jobs: [job()],
  ...over,
});

describe('a pull', () => {
  it('waits while viewers arrive', () => {
    const arriving = pull({ jobs: [job({ state: 'arriving', waiting: 20 }), job()] });
    expect(nextStep(1500, arriving)).toBe('wait');
  });

  it('is full when nobody is on the way on any tester', () => {
    expect(nextStep(2500, pull({ jobs: [job(), job({ connecting: 1 })] }))).toBe('wait');
    expect(nextStep(2500, pull({ jobs: [job(), job()] }))).toBe('full');
  });

  it('holds from then on, and leaves after the plan’s time', () => {
    expect(nextStep(12_499, pull({ fullMs: 2500 }))).toBe('wait');
    expect(nextStep(12_500, pull({ fullMs: 2500 }))).toBe('leave');
  });

  it('without an end of its own holds until it is stopped', () => {
    expect(nextStep(1e9, pull({ fullMs: 2500, holdMs: 0 }))).toBe('wait');
  });

  it('does not hold an empty house', () => {
    const nobody = pull({ jobs: [job({ connected: 0, present: 0 })] });
    expect(nextStep(2500, nobody)).toBe('leave');
  });

  it('whose house has emptied by itself is held a little longer, for the record', () => {
    const emptied = pull({
      fullMs: 2500,
      emptySinceMs: 4000,
      jobs: [job({ state: 'ended', connected: 0, present: 0 })],
    });
    expect(nextStep(4000 + courseBounds.emptyMs - 1, emptied)).toBe('wait');
    expect(nextStep(4000 + courseBounds.emptyMs, emptied)).toBe('leave');
    expect(nextStep(9100, { ...emptied, leaveMs: 9000 })).toBe('gone');
  });

  it('gives up arrivals that never end', () => {
    const stuck = pull({ jobs: [job({ state: 'arriving', waiting: 1 })] });
    const limitMs = 2000 * courseBounds.arrivalFactor + courseBounds.arrivalSlackMs;
    expect(nextStep(limitMs - 1, stuck)).toBe('wait');
    expect(nextStep(limitMs, stuck)).toBe('full');
  });

  it('that was told to leave is forced and at last killed', () => {
    const leaving = pull({ leaveMs: 20_000, jobs: [job({ state: 'leaving' })] });
    expect(nextStep(20_000 + courseBounds.forceAfterMs - 1, leaving)).toBe('wait');
    expect(nextStep(20_000 + courseBounds.forceAfterMs, leaving)).toBe('force');
    expect(nextStep(20_000 + courseBounds.killAfterMs, leaving)).toBe('kill');
  });

  it('is gone when nobody is present any more, and not before', () => {
    expect(nextStep(30_000, pull({ leaveMs: 20_000, jobs: [job({ state: 'ended', present: 3 })] }))).toBe(
      'wait',
    );
    expect(nextStep(30_000, pull({ leaveMs: 20_000, jobs: [job({ state: 'ended', present: 0 })] }))).toBe(
      'gone',
    );
    expect(nextStep(1, pull({ jobs: [job({ state: 'failed', connected: 0, present: 0 })] }))).toBe('gone');
  });
});

it('the phase is that of the pull that is least far', () => {
  expect(phaseOf([pull()])).toBe('ramp');
  expect(phaseOf([pull({ fullMs: 1 }), pull()])).toBe('ramp');
  expect(phaseOf([pull({ fullMs: 1 }), pull({ leaveMs: 2 })])).toBe('hold');
  expect(phaseOf([pull({ leaveMs: 2 })])).toBe('drain');
});

it('tells when a run will end by itself', () => {
  expect(endsMs([pull()])).toBe(12_000);
  expect(endsMs([pull({ fullMs: 3000 }), pull({ leaveMs: 20_000 })])).toBe(20_000);
  expect(endsMs([pull({ holdMs: 0 })])).toBeUndefined();
  expect(endsMs([])).toBeUndefined();
});

describe('what a verdict looks at', () => {
  const phases = [
    { name: 'prepare', startMs: 0, endMs: 10 },
    { name: 'ramp', startMs: 10, endMs: 20 },
    { name: 'hold', startMs: 20, endMs: 30 },
  ] as const;
  const part = (startedMs: number, fullMs: number, leaveMs: number): PullSeen =>
    pull({ startedMs, fullMs, leaveMs });

  it('is a run as it was when there is one pull', () => {
    expect(judgedPhases(phases, [part(10, 20, 30)])).toBe(phases);
  });

  it('is the time when all pulls were in at once', () => {
    expect(judgedPhases(phases, [part(10, 20, 90), part(40, 50, 70)]).slice(1)).toEqual([
      { name: 'ramp', startMs: 10, endMs: 50 },
      { name: 'hold', startMs: 50, endMs: 70 },
    ]);
  });

  it('has no hold when the pulls missed each other', () => {
    expect(judgedPhases(phases, [part(10, 20, 30), part(40, 50, 70)]).slice(1)).toEqual([
      { name: 'ramp', startMs: 10, endMs: 30 },
    ]);
  });
});

it('knows the planned line of arrivals', () => {
  expect([-1, 0, 500, 2000, 9000].map((ms) => wantedViewers(ms, pull(), 50))).toEqual([0, 0, 13, 50, 50]);
  expect(wantedViewers(9000, pull({ leaveMs: 8000 }), 50)).toBe(0);
});
