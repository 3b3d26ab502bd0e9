import { describe, expect, it } from 'vitest';
import type { JudgedRun, OriginOutage } from '../evidence/evidence';
import { defaultExpectations, type Audience } from '../model/plan';
import type { FailureGroup, RunView, Verdict } from '../model/run';
import { healthy, node, startMs, valuesOf, viewOf, type Curve, type Curves } from '../../../tests/support/verdictRun';
import { judgeRun } from './verdict';
import { audienceIn } from '../../../tests/support/pullPlan';

const at = (second: number): number => startMs + 1000 * second;
const busy: Curves = { 'origin cpuPercent': () => 95, 'origin otherCpuPercent': () => 80 };
const sentence = 'origin did not respond from 00:00:20 to 00:00:28 (8 s): connections were refused.';
const gone: OriginOutage = { node: 'origin', fromMs: at(20), toMs: at(28), sentence };

interface Case extends Partial<Pick<JudgedRun, 'runEvents' | 'audienceStarts' | 'audienceEnds'>> {
  readonly curves?: Curves;
  readonly pull?: Partial<Audience>;
  readonly also?: readonly Audience[];
  readonly view?: Partial<RunView>;
}

/** 1,000 viewers on a machine that other programs keep busy, whose server was killed and started again. */
function judge({ curves, pull, also, view, runEvents = { originOutages: [gone] }, ...run }: Case): Verdict {
  const base = viewOf(
    { nodes: [node('origin', 'origin', 'a'), node('tester', 'tester', 'a')], ...view },
    {
      connected: defaultExpectations.connected,
      outages: defaultExpectations.outages,
      degraded: defaultExpectations.degraded,
    },
  );
  const plan = { ...base.plan, pull: { ...audienceIn(base.plan), ...pull }, ...(also ? { also } : {}) };
  const values = valuesOf({ ...healthy, ...busy, ...curves });
  return judgeRun({ view: { ...base, plan }, values, runEvents, ...run }).verdict;
}

const full: Curve = (second) => Math.min(1000, second * 100);
const lost =
  (from: number, to = 99): Curve =>
  (second) =>
    second >= from && second < to ? 0 : full(second);
const failing = (second: number): Curves => ({
  'tester viewersConnected': lost(second),
  'tester viewersFailed': (each) => (each >= second ? 1000 : 0),
});
const failures = (stage: FailureGroup['stage'], cause: string, second: number): FailureGroup[] => [
  { tester: 'tester', stage, cause, count: 1000, example: { viewer: 1, timeMs: at(second), detail: '' } },
];
const first = ({ reasons }: Verdict): unknown => reasons[0];

describe('an origin that was gone for a time, on a busy machine,', () => {
  it('fails the run of viewers that do not reconnect, and is its first reason', () => {
    const verdict = judge({ curves: failing(31), view: { failures: failures('media', 'refused', 31) } });
    expect(verdict).toMatchObject({
      verdict: 'fail',
      sentence: `1,000 of 1,000 viewers connected, 0 of 1,000 at the end of the hold; ${sentence}`,
    });
    expect(first(verdict)).toMatchObject({ sentence, causedBy: 'origin-lost', node: 'origin', timeMs: at(20) });
    expect(verdict.reasons.map(({ causedBy }) => causedBy)).toEqual(['origin-lost', 'origin']);
    expect(verdict.outages?.list).toHaveLength(1);
    expect(verdict.outages?.list[0]?.causedBy).toBeUndefined();
  });

  it('is the reason for viewers that reconnect and are missing at the end of the hold', () => {
    const verdict = judge({ curves: { 'tester viewersConnected': lost(22) }, pull: { reconnect: true } });
    expect(verdict.sentence).toBe(`1,000 of 1,000 viewers connected, 0 of 1,000 at the end of the hold; ${sentence}`);
    expect(verdict.verdict).toBe('fail');
    expect(verdict.reasons.every(({ causedBy }) => causedBy?.startsWith('origin'))).toBe(true);
  });

  it('is a note where viewers reconnect and are back, and in the headline', () => {
    const verdict = judge({ curves: { 'tester viewersConnected': lost(22, 40) }, pull: { reconnect: true } });
    expect(verdict.verdict).toBe('pass');
    expect(verdict.sentence).toBe(
      `All 1,000 viewers connected within 10.0 s; all expectations met, with 1 outage of 18 s; ${sentence}`,
    );
    expect(verdict.notes?.map((note) => note.sentence)).toContain(sentence);
    expect(verdict.outages?.list[0]?.causedBy).toBeUndefined();
  });

  it('is a note where it cost no viewer', () => {
    const verdict = judge({});
    expect(verdict.verdict).toBe('pass');
    expect(verdict.notes).toMatchObject([{ sentence, node: 'origin' }]);
  });

  it('is the reason for degraded viewers', () => {
    const degraded: Curve = (second) => (second >= 22 && second < 31 ? 1000 : 0);
    const verdict = judge({ curves: { 'tester viewersDegraded': degraded }, pull: { reconnect: true } });
    expect(verdict.verdict).toBe('fail');
    expect(first(verdict)).toMatchObject({ causedBy: 'origin-lost' });
  });

  it('explains its publisher, whenever that is noticed, and what its viewers miss until then', () => {
    const publisher = (from: number, to: number): NonNullable<RunView['publisherOutages']>[number] => ({
      ...{ node: 'origin', by: 'tester', stream: 'cam', fromMs: at(from), toMs: at(to) },
      reason: 'The server responded to no ICE check for 30.999s.',
    });
    const run = (publisherOutages: RunView['publisherOutages']): Verdict =>
      judge({
        curves: { 'tester viewersConnected': lost(30) },
        pull: { reconnect: true },
        view: { publisherOutages },
      });
    for (const each of [publisher(20, 60), publisher(50, 60)]) {
      expect(run([each]).verdict).toBe('fail');
      expect(run([each]).reasons.map(({ causedBy }) => causedBy)).not.toContain('publisher');
    }
    // Published again with the server, and ended by itself later.
    const later = run([publisher(20, 29), publisher(50, 60)]);
    expect(later.notes?.map((note) => note.sentence)).toEqual([
      expect.stringContaining('Not judged: the viewers reconnect') as unknown,
      expect.stringContaining('interrupted at 00:00:50') as unknown,
    ]);
  });

  it('explains nothing long after it, and nothing of another origin', () => {
    expect(judge({ curves: failing(62) }).verdict).toBe('inconclusive');
    const other = { originOutages: [{ ...gone, node: 'other' }] };
    expect(judge({ curves: failing(31), runEvents: other }).verdict).toBe('inconclusive');
  });

  it('is the reason for what a level of an audience in stages misses', () => {
    const stages: Audience['stages'] = [
      { kind: 'ramp', viewers: 1000, overMs: 10_000 },
      { kind: 'hold', forMs: 60_000 },
    ];
    const requested = { 'tester viewersRequested': full };
    const failed = judge({ curves: { ...requested, ...failing(31) }, pull: { stages } });
    expect(failed.verdict).toBe('fail');
    expect(failed.sentence).toBe(`1,000 of 1,000 viewers connected, too few at the end of a level; ${sentence}`);
    expect(failed.reasons.map(({ expectation }) => expectation)).toEqual([undefined, 'connected']);
    const late = judge({
      curves: { ...requested, 'tester viewersConnected': lost(55) },
      pull: { stages, reconnect: true },
      runEvents: { originOutages: [{ ...gone, fromMs: at(50), toMs: at(58) }] },
    });
    expect(late.verdict).toBe('fail');
    expect(late.reasons.map(({ causedBy }) => causedBy)).toEqual(['origin-lost', 'origin']);
  });

  it('names the viewers of each audience', () => {
    const also: Audience = { ...audienceIn(viewOf().plan), protocol: 'hls', viewers: 500 };
    const verdict = judge({
      also: [also],
      curves: {
        'audience:1 viewersConnected': lost(22),
        'audience:2 viewersConnected': lost(30),
        'tester viewersConnected': lost(30),
      },
      pull: { viewers: 500, reconnect: true },
      audienceStarts: { 'audience:1': at(10), 'audience:2': at(10) },
      audienceEnds: { 'audience:1': at(70), 'audience:2': at(70) },
    });
    expect(verdict.sentence).toBe(
      `1,000 of 1,000 viewers connected, 0 of 1,000 at the end of their holds; ${sentence}`,
    );
    expect(verdict.outages?.list.map(({ causedBy }) => causedBy)).toEqual([undefined, undefined]);
  });
});

it('only answers late on a busy machine: the run stays inconclusive', () => {
  const verdict = judge({
    curves: failing(31),
    runEvents: {},
    view: { failures: failures('media', 'timeout', 31) },
  });
  expect(verdict.verdict).toBe('inconclusive');
  expect(verdict.sentence).toBe(
    '1,000 of 1,000 viewers connected, 0 of 1,000 at the end of the hold, but the verdict is inconclusive: the machine of origin was busy: other programs used 80 % of its CPU.',
  );
  expect(verdict.outages?.list[0]?.causedBy).toBe('machine');
});

it('a refused TCP connection is the failure of its server, though no poll noticed that it was gone', () => {
  const run = (protocol: Audience['protocol']): Verdict =>
    judge({
      curves: failing(31),
      runEvents: {},
      pull: { protocol },
      view: { failures: failures('media', 'refused', 31) },
    });
  expect(run('hls').verdict).toBe('fail');
  // An ICE port is closed when its session has timed out.
  expect(run('whep').verdict).toBe('inconclusive');
});

it('the headline names how many were connected at the end, whatever the first reason is', () => {
  const base = viewOf();
  const run = (curves: Curves): string =>
    judgeRun({
      view: { ...base, nodes: [node('origin', 'origin', 'a'), node('tester', 'tester', 'b')] },
      values: valuesOf({ ...healthy, 'origin cpuPercent': (second) => (second > 20 ? 95 : 40), ...curves }),
    }).verdict.sentence;
  expect(run(failing(31))).toMatch(
    /^1,000 of 1,000 viewers connected, 0 of 1,000 at the end of the hold; CPU of origin/,
  );
  expect(run({})).toMatch(/^1,000 of 1,000 viewers connected; CPU of origin/);
});
