import { describe, expect, it } from 'vitest';
import { defaultExpectations } from '../model/plan';
import { between, judge, ownExpectations, viewOf } from '../../../tests/support/verdictRun';

const apiOnly = {
  'origin cpuPercent': () => undefined,
  'origin gcPauseMs': () => undefined,
  'origin processCpuPercent': () => undefined,
};

describe('a server with only an API', () => {
  it('passes with defaults if all else is met, and notes what was not measured', () => {
    const verdict = judge(apiOnly, viewOf({}, defaultExpectations));
    expect(verdict).toMatchObject({
      verdict: 'pass',
      sentence: 'All 1,000 viewers connected within 10.0 s; all measured expectations met.',
      reasons: [],
      notes: [
        { expectation: 'cpu', sentence: 'CPU not measured: add SSH or node_exporter to origin.' },
        { expectation: 'gcPause', sentence: 'GC pauses not measured: add a GC log to origin.' },
      ],
    });
  });

  it('does not pass with expectations of the plan itself', () => {
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

it('a default fails on the few measurements if they exceed it, and is a note otherwise', () => {
  const view = viewOf({}, defaultExpectations);
  const some = (percent: number) => (second: number) => (second < 20 ? percent : undefined);
  expect(judge({ 'origin cpuPercent': some(95) }, view).verdict).toBe('fail');
  expect(judge({ 'origin cpuPercent': some(40) }, view)).toMatchObject({
    verdict: 'pass',
    notes: [{ sentence: 'CPU of origin was measured only 20 times in 70 s.' }],
  });
  expect(judge({ 'origin cpuPercent': some(95) }).verdict).toBe('inconclusive');
});

describe('what could not be judged does not count as met', () => {
  const noViewers = {
    'tester viewersConnected': () => 0,
    'tester viewersDegraded': () => 0,
  };

  it('degraded viewers without a viewer', () => {
    const { headroom, notes } = judge(noViewers, viewOf({}, defaultExpectations));
    expect(headroom.join(' ')).not.toMatch(/degraded/i);
    expect(notes).toMatchObject([
      { expectation: 'degraded', sentence: 'Degraded viewers were not judged: no viewer connected.' },
    ]);
  });

  it('GC pauses without a pause', () => {
    const { verdict, headroom, notes } = judge(
      { 'origin gcPauseMs': () => undefined },
      viewOf({}, defaultExpectations),
    );
    expect(verdict).toBe('pass');
    expect(headroom.join(' ')).not.toMatch(/GC|0 ms/);
    expect(notes).toMatchObject([{ sentence: 'No GC pause of origin was recorded during the run.' }]);
  });

  it('and does not prevent a fail', () => {
    expect(judge({ ...noViewers, 'origin cpuPercent': between(40, 50, 95, 50) }).verdict).toBe('fail');
  });
});
