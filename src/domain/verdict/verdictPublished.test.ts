import { describe, expect, it } from 'vitest';
import {
  between,
  endSeconds,
  healthy,
  ownExpectations,
  startMs,
  valuesOf,
  viewOf,
  type Curves,
} from '../../../tests/support/verdictRun';
import type { Expectations, Plan } from '../model/plan';
import type { RunView, Verdict } from '../model/run';
import { judgeRun, type JudgedRun } from './verdict';

const atMs = (second: number): number => startMs + second * 1000;

const planOf = (expectations: Expectations = {}): Plan => ({
  name: 'Ingest',
  nodes: { origin: { server: 'lab' }, tester: { tester: 'local' } },
  publish: [
    {
      ...{ stream: 'cam', node: 'origin', source: 'sample-240p', by: 'tester' },
      ...{ publishers: 500, ratePerSecond: 50, holdMs: 60_000 },
    },
  ],
  expect: { ...ownExpectations, degraded: { comparison: '<=', value: 1, ifMeasured: true }, ...expectations },
});

/** A run with 500 publishers, of which `failed` were refused for `problem`. */
function published(failed = 0, problem = '', changes: Partial<RunView> = {}): RunView {
  const base = viewOf();
  const connected = 500 - failed;
  return {
    ...base,
    plan: planOf({ outages: { comparison: '<=', value: 5 } }),
    figures: { ...base.figures, requested: 500, connected, connectedPeak: connected, failed, mediaOutMbps: 60 },
    published: [
      {
        ...{
          stream: 'cam',
          node: 'origin',
          by: 'tester',
          requested: 500,
          live: connected,
          livePeak: connected,
          failed,
        },
        ...(failed > 0 ? { problems: [{ sentence: problem, count: failed }] } : {}),
      },
    ],
    ...changes,
  };
}

const all: Curves = { 'tester publishersLive': (second) => Math.min(500, second * 50) };

const judge = (view: RunView, curves: Curves = {}, more: Partial<JudgedRun> = {}): Verdict =>
  judgeRun({
    view,
    values: valuesOf({ ...healthy, 'tester viewersConnected': () => undefined, ...all, ...curves }),
    ...more,
  }).verdict;

describe('publishers alone', () => {
  it('pass, and nothing is said about viewers', () => {
    const verdict = judge(published());
    expect(verdict).toMatchObject({
      verdict: 'pass',
      sentence: 'All 500 publishers connected within 10.0 s; all expectations met.',
      headroom: [
        '500 of 500 publishers were connected at the end of the hold, 100 %.',
        'No outage of publishers in the 1 min of the hold.',
        'CPU of origin: max 50 % over 5 s, limit 80 %.',
        'GC pauses of origin: max 0.40 ms, limit 10 ms.',
      ],
      outages: { count: 0, heldMs: 60_000 },
    });
    expect(verdict.notes).toBeUndefined();
    expect(JSON.stringify(verdict)).not.toMatch(/viewer/i);
  });

  it('fail with the reason for which they were refused', () => {
    const verdict = judge(published(20, 'The server refused the stream: HTTP 403.'), {
      'tester publishersLive': (second) => Math.min(480, second * 50),
    });
    expect(verdict).toMatchObject({
      verdict: 'fail',
      sentence:
        '480 of 500 publishers connected, fewer than expected. 20 publishers failed: The server refused the stream: HTTP 403.',
    });
    expect(verdict.reasons[0]).toMatchObject({
      expectation: 'connected',
      causedBy: 'origin',
      sentence:
        '480 of 500 publishers were connected at the end of the hold, 96 %. 20 publishers failed: The server refused the stream: HTTP 403.',
    });
  });

  it('fail for an outage longer than expected, and for none that is shorter', () => {
    const lost = (seconds: number): Curves => ({
      'tester publishersLive': (second) => (second >= 30 && second < 30 + seconds ? 200 : Math.min(500, second * 50)),
    });
    const verdict = judge(published(), lost(8));
    expect(verdict).toMatchObject({
      verdict: 'fail',
      outages: { count: 1, longestMs: 8000, list: [{ fromMs: atMs(30), toMs: atMs(38), lowest: 200, requested: 500 }] },
    });
    expect(verdict.sentence).toBe(
      '500 of 500 publishers connected; 1 outage of publishers: 8 s from 00:00:30 on; fewest 200 of 500 publishers at 00:00:30.',
    );
    const short = judge(published(), lost(3));
    expect(short).toMatchObject({ verdict: 'pass', outages: { count: 1, longestMs: 3000 } });
    expect(short.sentence).toContain('all expectations met, with 1 outage of 3 s.');
  });

  it('that are lost until the end are one reason, not two', () => {
    const verdict = judge(published(), { 'tester publishersLive': between(0, 40, 500, 100) });
    expect(verdict.reasons.map(({ expectation }) => expectation)).toEqual(['connected']);
    expect(verdict.reasons[0]?.sentence).toBe(
      '100 of 500 publishers were connected at the end of the hold, 20 %, too few from 00:00:40 on.',
    );
  });

  it('prove nothing without their data, on a busy tester, or when their tester is gone', () => {
    expect(judge(published(), { 'tester publishersLive': () => undefined })).toMatchObject({
      verdict: 'inconclusive',
      sentence:
        '500 of 500 publishers connected, but the verdict is inconclusive: no data of the publishers of tester at the end of the hold.',
    });
    const busy: Curves = { 'tester cpuPercent': () => 99, 'tester publishersLive': () => 400 };
    expect(judge(published(100, 'The server did not respond within 10 s.'), busy).verdict).toBe('inconclusive');
    // A refusal is the server's, however busy its publishers were.
    expect(judge(published(100, 'The server refused the stream: HTTP 403.'), busy).verdict).toBe('fail');
    const lostTesters = [{ node: 'tester', timeMs: atMs(30), sentence: 'tester: The agent was killed.' }];
    expect(judge(published(), {}, { runEvents: { lostTesters } }).verdict).toBe('inconclusive');
  });

  it('name a server that was gone', () => {
    const originOutages = [
      {
        node: 'origin',
        fromMs: atMs(30),
        toMs: atMs(40),
        sentence: 'origin did not respond from 00:00:30 to 00:00:40.',
      },
    ];
    const verdict = judge(
      published(),
      { 'tester publishersLive': between(30, 41, 0, 500) },
      { runEvents: { originOutages } },
    );
    expect(verdict.verdict).toBe('fail');
    expect(verdict.reasons.map(({ causedBy }) => causedBy)).toEqual(['origin-lost', 'origin']);
  });

  it('held until stopped end as planned', () => {
    const plan = planOf();
    const view = published(0, '', { plan: { ...plan, publish: plan.publish.map((each) => ({ ...each, holdMs: 0 })) } });
    expect(judge(view, {}, { stoppedMs: atMs(endSeconds) }).verdict).toBe('pass');
    expect(judge(published(), {}, { stoppedMs: atMs(40) })).toMatchObject({
      verdict: 'stopped',
      sentence: 'Stopped at 00:00:40; 500 of 500 publishers connected until then.',
    });
  });
});
