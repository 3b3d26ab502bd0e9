import { describe, expect, it } from 'vitest';
import { defaultExpectations } from '../plan/plan';
import { between, judge, ownExpectations, viewOf } from './testVerdictRun';

const apiOnly = {
  'origin cpuPercent': () => undefined,
  'origin gcPauseMs': () => undefined,
  'origin processCpuPercent': () => undefined,
};

describe('a server that is known by its API alone', () => {
  it('passes by rules of thumb when all else is met, and notes what was not measured', () => {
    const verdict = judge(apiOnly, viewOf({}, defaultExpectations));
    expect(verdict).toMatchObject({
      verdict: 'pass',
      sentence: 'All 1,000 viewers connected within 10.0 s, and every expectation that was measured was met.',
      reasons: [],
      notes: [
        { expectation: 'cpu', sentence: 'CPU not measured: add SSH or node_exporter to origin.' },
        { expectation: 'gcPause', sentence: 'GC pauses not measured: add a GC log to origin.' },
      ],
    });
  });

  it('does not pass by what the plan itself expects', () => {
    const own = { ...defaultExpectations, cpu: ownExpectations.cpu };
    const verdict = judge(apiOnly, viewOf({}, own));
    expect(verdict.verdict).toBe('inconclusive');
    expect(verdict.reasons).toMatchObject([{ expectation: 'cpu', causedBy: 'unmeasured' }]);
  });

  it('does not pass when nothing of it was measured', () => {
    const { cpu, gcPause } = defaultExpectations;
    expect(judge(apiOnly, viewOf({}, { cpu, gcPause })).verdict).toBe('inconclusive');
  });
});

it('a rule of thumb fails by the little that was measured, and is a note where that was well', () => {
  const view = viewOf({}, defaultExpectations);
  const some = (percent: number) => (second: number) => (second < 20 ? percent : undefined);
  expect(judge({ 'origin cpuPercent': some(95) }, view).verdict).toBe('fail');
  expect(judge({ 'origin cpuPercent': some(40) }, view)).toMatchObject({
    verdict: 'pass',
    notes: [{ sentence: 'CPU of origin was measured only 20 times in 70 s.' }],
  });
  expect(judge({ 'origin cpuPercent': some(95) }).verdict).toBe('inconclusive');
});

describe('what was not there to be judged is no finding that was met', () => {
  const nobody = {
    'tester viewersConnected': () => 0,
    'tester viewersDegraded': () => 0,
  };

  it('degraded viewers without a viewer', () => {
    const { room, notes } = judge(nobody, viewOf({}, defaultExpectations));
    expect(room.join(' ')).not.toMatch(/degraded/i);
    expect(notes).toMatchObject([
      { expectation: 'degraded', sentence: 'Degraded viewers were not judged: no viewer connected.' },
    ]);
  });

  it('GC pauses without a pause', () => {
    const { verdict, room, notes } = judge(
      { 'origin gcPauseMs': () => undefined },
      viewOf({}, defaultExpectations),
    );
    expect(verdict).toBe('pass');
    expect(room.join(' ')).not.toMatch(/GC|0 ms/);
    expect(notes).toMatchObject([{ sentence: 'No GC pause of origin was recorded during the run.' }]);
  });

  it('and does not keep a run from its fail', () => {
    expect(judge({ ...nobody, 'origin cpuPercent': between(40, 50, 95, 50) }).verdict).toBe('fail');
  });
});
