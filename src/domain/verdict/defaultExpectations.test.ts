import { describe, expect, it } from 'vitest';
import type { LinkView, NodeView } from '../model/node';
import { defaultExpectations, type Expectations } from '../model/plan';
import type { RunView } from '../model/run';
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

describe('a configured source that is silent', () => {
  const withOrigin = (over: Partial<NodeView>, expect?: Expectations): RunView => {
    const view = viewOf({}, expect);
    return { ...view, nodes: view.nodes.map((node) => (node.role === 'origin' ? { ...node, ...over } : node)) };
  };
  const link = (over: Partial<LinkView>): LinkView => ({
    ...{ kind: 'metrics', label: 'node_exporter', state: 'lost' },
    ...over,
  });
  const problem = 'origin: the node_exporter at http://h:9100/metrics answered 404; check the address.';

  it.each<[string, LinkView[], string]>([
    [
      'answers an error',
      [link({ problem })],
      'the node_exporter at http://h:9100/metrics answered 404; check the address',
    ],
    ['has not responded', [link({ state: 'connecting' })], 'its node_exporter has not responded so far'],
    ['has other figures', [link({ state: 'live' })], 'its node_exporter does not report it'],
    [
      'is a refused SSH login beside a server that responds',
      [
        link({ kind: 'api', state: 'live', label: 'REST' }),
        link({ kind: 'ssh', label: 'SSH', problem: 'origin refused the key.' }),
      ],
      'origin refused the key',
    ],
  ])('and %s has its own sentence', (_, links, why) => {
    const asDefault = judge(apiOnly, withOrigin({ links }, defaultExpectations));
    expect(asDefault.notes?.[0]?.sentence).toBe(`CPU of origin not measured: ${why}.`);
    const own = judge(apiOnly, withOrigin({ links }, { cpu: ownExpectations.cpu }));
    expect(own.verdict).toBe('inconclusive');
    expect(own.reasons[0]?.sentence).toBe(`No CPU data from origin (70 s): ${why}.`);
  });

  it('of GC pauses is not one without pauses', () => {
    const silent = { gcSource: 'GC log over SSH', gcProblem: 'origin: /gc.log is the GC log of Java 8.' };
    const values = { ...apiOnly, 'origin cpuPercent': () => 9 };
    const { notes } = judge(values, withOrigin(silent, defaultExpectations));
    expect(notes?.map(({ sentence }) => sentence)).toContain(
      'GC pauses of origin not measured: /gc.log is the GC log of Java 8.',
    );
    expect(judge(values, withOrigin(silent, { gcPause: ownExpectations.gcPause })).verdict).toBe('inconclusive');
    const quiet = judge(values, withOrigin({ gcSource: 'GC log over SSH (G1)' }, defaultExpectations));
    expect(quiet.notes?.map(({ sentence }) => sentence)).toContain(
      'No GC pause of origin was recorded during the run.',
    );
  });
});
