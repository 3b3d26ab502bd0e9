import { describe, expect, it } from 'vitest';
import type { TesterLimit } from '../run';
import { judgeTrial } from './judgeTrial';
import { madePlan, madeTrial, type Made } from './madeTrial';

const limit: TesterLimit = {
  node: 'one',
  kind: 'cpu',
  fromMs: 95_000,
  viewers: 100,
  sentence: 'one was at its own limit: CPU 97 % over 5 s at 00:01:40.',
  expected: '',
};
const bothSuffer: Made = {
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

describe('a size', () => {
  it('held when all that is expected was met', () => {
    expect(judgeTrial(madeTrial())).toMatchObject({
      result: 'met',
      sentence: '200 held: 100 % connected, nobody degraded, CPU of origin 40 %.',
      nearness: 0.5,
      isClose: false,
    });
  });

  it('missed by who suffers, with the figures', () => {
    expect(judgeTrial(madeTrial(bothSuffer))).toMatchObject({
      result: 'missed',
      sentence: '70 of 200 viewers, 35 %, were degraded; expected <= 1 %.',
      isClose: false,
    });
  });

  it('missed by who is not there, and why they are not', () => {
    const seen = madeTrial({ one: { viewersConnected: 40 } }, { failures: [refused] });
    expect(judgeTrial(seen)).toMatchObject({
      result: 'missed',
      sentence:
        '140 of 200 viewers were connected, 70 %; expected >= 99 %. Most failed at signalling: http-503.',
    });
  });

  it('missed by the origin itself: its CPU, and its pauses', () => {
    expect(judgeTrial(madeTrial({ origin: { cpuPercent: 91 } }))).toMatchObject({
      result: 'missed',
      sentence: 'CPU of origin was at 91 %; expected <= 80 %.',
      isClose: false,
    });
    expect(judgeTrial(madeTrial({ origin: { gcPauseMs: 48 } }))).toMatchObject({
      result: 'missed',
      sentence: 'The garbage collector stopped origin for up to 48.0 ms; expected <= 10 ms.',
    });
  });

  it('missed by a threshold of its own, within its tolerance it holds', () => {
    const plan = (tolerancePercent?: number): typeof madePlan => ({
      ...madePlan,
      thresholds: [{ series: 'rttP95Ms', comparison: '<=', value: 50, tolerancePercent }],
    });
    const made: Made = { one: { rttP95Ms: [20, 20, 20, 80] } };
    expect(judgeTrial(madeTrial(made, { plan: plan() }))).toMatchObject({
      result: 'missed',
      sentence:
        'RTT p95 of one was at 80.0 ms at worst and missed its bound in 18.2 % of the time; expected <= 50.0 ms.',
    });
    expect(judgeTrial(madeTrial(made, { plan: plan(30) })).result).toBe('met');
  });

  it('is unknown when a tester is silent, or a figure that is expected is not there', () => {
    expect(judgeTrial(madeTrial({ two: { viewersConnected: undefined } }))).toMatchObject({
      result: 'unknown',
      sentence: 'No word came from two while it was watched; see whether it still answers.',
    });
    const unmeasured = madeTrial({ origin: { cpuPercent: undefined } });
    // A rule of thumb that the plan did not write decides nothing.
    expect(judgeTrial(unmeasured).result).toBe('met');
    const own = { ...unmeasured.plan.expect, cpu: { comparison: '<=', value: 80 } } as const;
    expect(judgeTrial({ ...unmeasured, plan: { ...unmeasured.plan, expect: own } })).toMatchObject({
      result: 'unknown',
      sentence: 'No CPU data from origin: add SSH or node_exporter, or remove "cpu" from "expect".',
    });
  });
});

describe('another look is worth it', () => {
  it.each<[string, Made]>([
    ['near the bound', { one: { viewersConnected: 100, viewersDegraded: 2.3 } }],
    ['over it by a single viewer', { two: { viewersConnected: 100, viewersDegraded: 2.9 } }],
    ['over it for half of the time', { one: { viewersDegraded: [50, 50, 50, 50, 50, 0, 0, 0, 0, 0, 0] } }],
    ['by a single pause', { origin: { gcPauseMs: [0, 0, 0, 0, 40, 0, 0, 0, 0, 0, 0] } }],
    ['with CPU at its bound', { origin: { cpuPercent: 81 } }],
  ])('%s', (_, made) => {
    expect(judgeTrial(madeTrial(made))).toMatchObject({ result: 'missed', isClose: true });
  });

  it('but not where something else is beyond doubt', () => {
    expect(judgeTrial(madeTrial({ ...bothSuffer, origin: { cpuPercent: 81 } }))).toMatchObject({
      sentence: '70 of 200 viewers, 35 %, were degraded; expected <= 1 %.',
      isClose: false,
    });
  });
});

describe('a tester at its own limit', () => {
  it('makes a miss of its viewers say nothing of the origin', () => {
    const seen = madeTrial(
      { one: { viewersConnected: 100, viewersDegraded: 40 } },
      { testerLimits: [limit] },
    );
    expect(judgeTrial(seen)).toMatchObject({ result: 'tester-limited', sentence: limit.sentence });
  });

  it('forgives nothing that another tester saw too, nor what the origin itself shows or said', () => {
    const testerLimits = [limit];
    expect(judgeTrial(madeTrial(bothSuffer, { testerLimits }))).toMatchObject({
      result: 'missed',
      sentence: '30 of 100 viewers, 30 %, were degraded; expected <= 1 %.',
    });
    expect(judgeTrial(madeTrial({ origin: { cpuPercent: 95 } }, { testerLimits })).result).toBe('missed');
    const missing: Made = { one: { viewersConnected: 40 } };
    expect(judgeTrial(madeTrial(missing, { testerLimits })).result).toBe('tester-limited');
    expect(judgeTrial(madeTrial(missing, { testerLimits, failures: [refused] })).result).toBe('missed');
  });

  it('does no harm where all was well all the same, or long after it was over', () => {
    expect(judgeTrial(madeTrial({}, { testerLimits: [limit] })).result).toBe('met');
    const over = [{ ...limit, fromMs: 50_000, toMs: 60_000 }];
    expect(judgeTrial(madeTrial(bothSuffer, { testerLimits: over })).result).toBe('missed');
  });
});

describe('a size that was watched while other programs used the machine', () => {
  const burnt = { cpuPercent: 97, otherCpuPercent: 70 };
  it.each<[string, Parameters<typeof madeTrial>[0], Parameters<typeof madeTrial>[1], string]>([
    ['never bounds the origin by its CPU', { origin: burnt }, {}, 'unknown'],
    ['bounds it by what it took itself', { origin: { cpuPercent: 97, otherCpuPercent: 8 } }, {}, 'missed'],
    ['never bounds it by degraded viewers', { origin: burnt, one: { viewersDegraded: 40 } }, {}, 'unknown'],
    ['bounds it by degraded viewers on a quiet machine', { one: { viewersDegraded: 40 } }, {}, 'missed'],
    [
      'never bounds it by a pause of a process that waited',
      { origin: { cpuPercent: 60, otherCpuPercent: 50, gcPauseMs: 30, processWaitPercent: 3 } },
      {},
      'unknown',
    ],
    [
      'bounds it by what the server refused',
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
    expect(judgeTrial(madeTrial(made, over)).result).toBe(result);
  });

  it('names the machine', () => {
    expect(judgeTrial(madeTrial({ origin: burnt }))).toMatchObject({
      sentence: 'The machine of origin was busy: other programs used 70 % of its CPU.',
      busyNode: 'origin',
    });
  });
});
