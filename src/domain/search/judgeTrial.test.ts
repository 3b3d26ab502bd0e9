import { describe, expect, it } from 'vitest';
import type { Plan, SeriesThreshold } from '../model/plan';
import type { TesterLimit } from '../model/run';
import { judgeTrial } from './judgeTrial';
import type { TrialInput } from './trialInput';
import type { TrialJudgement } from './trialJudgement';
import { limitTestPlan, testTrial, type Made } from '../../../tests/support/trial';

const limit: TesterLimit = {
  node: 'one',
  kind: 'cpu',
  fromMs: 95_000,
  viewers: 100,
  sentence: 'one was at its own limit: CPU 97 % over 5 s at 00:01:40.',
  expected: '',
};
const bothDegraded: Made = {
  one: { viewersConnected: 100, viewersDegraded: 40 },
  two: { viewersConnected: 100, viewersDegraded: 30 },
};
const refused = {
  tester: 'one',
  stage: 'signalling',
  cause: 'http-503',
  count: 60,
  example: { viewer: 1, timeMs: 0, detail: '' },
} as const;

describe('the judgement of a size', () => {
  it('is held if all expectations were met', () => {
    expect(judgeTrial(testTrial())).toMatchObject({
      result: 'met',
      sentence: '200 passed: 100 % connected, no viewer degraded, CPU of origin 40 %.',
      nearness: 0.5,
      isClose: false,
    });
  });

  it('is missed by degraded viewers, with the figures', () => {
    expect(judgeTrial(testTrial(bothDegraded))).toMatchObject({
      result: 'missed',
      sentence: '70 of 200 viewers, 35 %, were degraded; expected <= 1 %.',
      isClose: false,
    });
  });

  it('is missed by viewers that are not connected, with the reason', () => {
    const seen = testTrial({ one: { viewersConnected: 40 } }, { failures: [refused] });
    expect(judgeTrial(seen)).toMatchObject({
      result: 'missed',
      sentence:
        '140 of 200 viewers were connected, 70 %; expected >= 99 %. Most failed at signalling: the server is overloaded or out of sessions (HTTP 503).',
    });
  });

  it('is missed by the origin itself: its CPU, and its pauses', () => {
    expect(judgeTrial(testTrial({ origin: { cpuPercent: 91 } }))).toMatchObject({
      result: 'missed',
      sentence: 'CPU of origin was at 91 %; expected <= 80 %.',
      isClose: false,
    });
    expect(judgeTrial(testTrial({ origin: { gcPauseMs: 48 } }))).toMatchObject({
      result: 'missed',
      sentence: 'The garbage collector paused origin for up to 48.0 ms; expected <= 10 ms.',
    });
  });

  it('is missed by an additional threshold, but held within its tolerance', () => {
    const plan = (tolerancePercent?: number): typeof limitTestPlan => ({
      ...limitTestPlan,
      thresholds: [{ series: 'rttP95Ms', comparison: '<=', value: 50, tolerancePercent }],
    });
    const made: Made = { one: { rttP95Ms: [20, 20, 20, 80] } };
    expect(judgeTrial(testTrial(made, { plan: plan() }))).toMatchObject({
      result: 'missed',
      sentence: 'RTT p95 of one was 80.0 ms at worst and missed its limit for 18.2 % of the time; expected <= 50.0 ms.',
    });
    expect(judgeTrial(testTrial(made, { plan: plan(30) })).result).toBe('met');
  });

  it('is unknown if a tester does not respond, or an expected figure is missing', () => {
    expect(judgeTrial(testTrial({ two: { viewersConnected: undefined } }))).toMatchObject({
      result: 'unknown',
      sentence: 'No data from two during the measurement. Check whether it responds.',
    });
    const unmeasured = testTrial({ origin: { cpuPercent: undefined } });
    // A default that the plan does not state decides nothing.
    expect(judgeTrial(unmeasured).result).toBe('met');
    const own = { ...unmeasured.plan.expect, cpu: { comparison: '<=', value: 80 } } as const;
    expect(judgeTrial({ ...unmeasured, plan: { ...unmeasured.plan, expect: own } })).toMatchObject({
      result: 'unknown',
      sentence: 'No CPU data from origin: add SSH or node_exporter, or remove "cpu" from "expect".',
    });
  });
});

describe('an expectation of a series or of the delay', () => {
  const threshold = (series: SeriesThreshold['series'], graceMs = 0): Plan => ({
    ...limitTestPlan,
    thresholds: [{ series, comparison: '<=', value: 50, graceMs }],
  });
  const delay: Plan = { ...limitTestPlan, delay: [{ stat: 'p95', valueMs: 500 }] };

  it('proves nothing if it was not measured', () => {
    expect(judgeTrial(testTrial({}, { plan: delay }))).toMatchObject({
      ...{ result: 'unknown', sentence: 'The delay (p95 <= 500 ms) was not measured at this size.' },
    });
    expect(judgeTrial(testTrial({}, { plan: threshold('rttP95Ms') }))).toMatchObject({
      ...{ result: 'unknown', sentence: 'RTT p95 was not measured at this size.' },
    });
  });

  it('is met without an event, and not judged in its grace period', () => {
    for (const series of ['stallP95Ms', 'connectP95Ms', 'gcPauseMs'] as const)
      expect(judgeTrial(testTrial({}, { plan: threshold(series) })).result, series).toBe('met');
    expect(judgeTrial(testTrial({}, { plan: threshold('rttP95Ms', 200_000) })).result).toBe('met');
  });

  it('is a figure of viewers if it is the clock in their picture: a tester at its own limit excuses it', () => {
    const made: Made = { origin: { glassToGlassP95Ms: 800 } };
    expect(judgeTrial(testTrial(made, { plan: delay })).result).toBe('missed');
    expect(judgeTrial(testTrial(made, { plan: delay, testerLimits: [limit] })).result).toBe('tester-limited');
  });
});

describe('a trial is repeated', () => {
  it.each<[string, Made]>([
    ['near the limit', { one: { viewersConnected: 100, viewersDegraded: 2.3 } }],
    ['over it by a single viewer', { two: { viewersConnected: 100, viewersDegraded: 2.9 } }],
    ['over it half of the time', { one: { viewersDegraded: [50, 50, 50, 50, 50, 0, 0, 0, 0, 0, 0] } }],
    ['by a single pause', { origin: { gcPauseMs: [0, 0, 0, 0, 40, 0, 0, 0, 0, 0, 0] } }],
    ['with CPU at its limit', { origin: { cpuPercent: 81 } }],
  ])('%s', (_, made) => {
    expect(judgeTrial(testTrial(made))).toMatchObject({ result: 'missed', isClose: true });
  });

  it('but not if another miss is clear', () => {
    expect(judgeTrial(testTrial({ ...bothDegraded, origin: { cpuPercent: 81 } }))).toMatchObject({
      sentence: '70 of 200 viewers, 35 %, were degraded; expected <= 1 %.',
      isClose: false,
    });
  });
});

describe('a tester at its own limit', () => {
  it('makes a miss of its viewers inconclusive for the origin', () => {
    const seen = testTrial({ one: { viewersConnected: 100, viewersDegraded: 40 } }, { testerLimits: [limit] });
    expect(judgeTrial(seen)).toMatchObject({ result: 'tester-limited', sentence: limit.sentence });
  });

  it('excuses nothing that another tester measured too, nor what the origin itself reports', () => {
    const testerLimits = [limit];
    expect(judgeTrial(testTrial(bothDegraded, { testerLimits }))).toMatchObject({
      result: 'missed',
      sentence: '30 of 100 viewers, 30 %, were degraded; expected <= 1 %.',
    });
    expect(judgeTrial(testTrial({ origin: { cpuPercent: 95 } }, { testerLimits })).result).toBe('missed');
    const missing: Made = { one: { viewersConnected: 40 } };
    expect(judgeTrial(testTrial(missing, { testerLimits })).result).toBe('tester-limited');
    expect(judgeTrial(testTrial(missing, { testerLimits, failures: [refused] })).result).toBe('missed');
  });

  it('has no effect if all expectations were met, or long after it ended', () => {
    expect(judgeTrial(testTrial({}, { testerLimits: [limit] })).result).toBe('met');
    const over = [{ ...limit, fromMs: 50_000, toMs: 60_000 }];
    expect(judgeTrial(testTrial(bothDegraded, { testerLimits: over })).result).toBe('missed');
  });
});

describe('a size measured while other programs used the machine', () => {
  const usedByOthers = { cpuPercent: 97, otherCpuPercent: 70 };
  it.each<[string, Parameters<typeof testTrial>[0], Parameters<typeof testTrial>[1], string]>([
    ['never limits the origin by its CPU', { origin: usedByOthers }, {}, 'unknown'],
    ['limits it by its own CPU use', { origin: { cpuPercent: 97, otherCpuPercent: 8 } }, {}, 'missed'],
    ['never limits it by degraded viewers', { origin: usedByOthers, one: { viewersDegraded: 40 } }, {}, 'unknown'],
    ['limits it by degraded viewers on an idle machine', { one: { viewersDegraded: 40 } }, {}, 'missed'],
    [
      'never limits it by a pause of a process that waited',
      { origin: { cpuPercent: 60, otherCpuPercent: 50, gcPauseMs: 30, processWaitPercent: 3 } },
      {},
      'unknown',
    ],
    [
      'limits it by refusals of the server',
      {
        origin: { cpuPercent: 75, otherCpuPercent: 40, processWaitPercent: 30 },
        one: { viewersConnected: 50 },
      },
      {
        failures: [
          {
            ...{ tester: 'one', stage: 'signalling', cause: 'http-503', count: 50 },
            example: { viewer: 1, timeMs: 100_000, detail: '' },
          },
        ],
      },
      'missed',
    ],
  ])('%s', (_, made, over, result) => {
    expect(judgeTrial(testTrial(made, over)).result).toBe(result);
  });

  it('names the machine', () => {
    expect(judgeTrial(testTrial({ origin: usedByOthers }))).toMatchObject({
      sentence: 'The machine of origin was busy: other programs used 70 % of its CPU.',
      busyNode: 'origin',
    });
  });
});

describe('the judgement of a number of publishers', () => {
  const { pull: _, ...plan } = limitTestPlan;
  const alone: Plan = {
    ...plan,
    publish: [
      {
        ...{ stream: 'cam', node: 'origin', source: 'sample-240p', by: 'one' },
        search: { fromViewers: 10, maxViewers: 400, settleMs: 0, measureMs: 10_000, repeats: 1, precisionPercent: 3 },
      },
    ],
  };
  const trial = (live: number, over: Partial<TrialInput> = {}): TrialJudgement =>
    judgeTrial(testTrial({ one: { publishersLive: live, publishersRequested: 200 } }, { plan: alone, ...over }));
  const sentence = 'origin closed the connection.';

  it('counts those that are live, without what viewers would lack', () => {
    expect(trial(200)).toMatchObject({ result: 'met', sentence: '200 passed: 100 % connected, CPU of origin 40 %.' });
    expect(trial(140, { problems: [{ sentence, count: 60 }] })).toMatchObject({
      result: 'missed',
      sentence:
        '140 of 200 publishers were connected, 70 %; expected >= 99 %. Most failed: origin closed the connection.',
    });
  });

  it('is no limit of the server while their tester is at its own limit, unless the server refused them', () => {
    expect(trial(140, { testerLimits: [limit] })).toMatchObject({ result: 'tester-limited' });
    const timedOut = [{ sentence: 'No response within 10 s.', count: 60 }];
    expect(trial(140, { testerLimits: [limit], problems: timedOut })).toMatchObject({ result: 'tester-limited' });
    expect(trial(140, { testerLimits: [limit], problems: [{ sentence, count: 60 }] })).toMatchObject({
      result: 'missed',
    });
  });

  it('is no limit of the server where their tester could not start them', () => {
    const orderFault = 'one could not start 60 publishers: Too many open files.';
    expect(trial(140, { orderFault })).toEqual({ result: 'tester-limited', sentence: orderFault });
  });
});
