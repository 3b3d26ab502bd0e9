import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import type { FailureStage, RunView } from '../model/run';
import {
  between,
  healthy,
  judge,
  node,
  secondOf,
  startMs,
  valuesOf,
  viewOf,
  type Curve,
  type Curves,
} from '../../../tests/support/verdictRun';
import { judgeRun } from './verdict';
import { audienceIn } from '../../../tests/support/pullPlan';

describe('a run that meets everything', () => {
  it('passes, and reports the headroom', () => {
    expect(judge()).toMatchObject({
      verdict: 'pass',
      sentence: 'All 1,000 viewers connected within 10.0 s; all expectations met.',
      reasons: [],
      headroom: [
        '1,000 of 1,000 viewers were connected at the end of the hold, 100 %.',
        'No viewer was degraded.',
        'CPU of origin: max 50 % over 5 s, limit 80 %.',
        'GC pauses of origin: max 0.40 ms, limit 10 ms.',
      ],
      outages: {
        ...{ count: 0, sumMs: 0, longestMs: 0, heldMs: 60_000, list: [], reconnections: 0 },
        gaps: { count: 0, sumMs: 0, longestMs: 0, list: [] },
      },
    });
  });

  it('keeps the figure that each expectation was compared with', () => {
    expect(judge().findings?.map(({ expectation, measured, node: name }) => [expectation, measured, name])).toEqual([
      ['connected', 100, undefined],
      ['degraded', 0, undefined],
      ['cpu', 50, 'origin'],
      ['gcPause', 0.4, 'origin'],
    ]);
  });

  it('reports that origin and audience share a machine', () => {
    const view = viewOf({ nodes: [node('origin', 'origin', 'a'), node('tester', 'tester', 'a')] });
    expect(judge({}, view).headroom[2]).toContain('limit 80 %; same host as tester.');
  });
});

describe('the rules', () => {
  it('state a share with the parts it is made of', () => {
    const view = viewOf({ figures: { ...viewOf().figures, requested: 50, connectedPeak: 50 } });
    const some: Curve = (second) => (second % 5 < 3 ? 8 : 7);
    const [reason] = judge({ 'tester viewersConnected': () => 50, 'tester viewersDegraded': some }, view).reasons;
    expect(reason?.sentence).toMatch(/^7\.6 of 50 viewers, 15\.2 %, were degraded on average over 5 s until /);
  });

  it('tolerate a second of CPU, not five', () => {
    expect(judge({ 'origin cpuPercent': between(30, 32, 100, 50) }).verdict).toBe('pass');
    const verdict = judge({ 'origin cpuPercent': between(30, 40, 98, 50) });
    expect(verdict).toMatchObject({
      verdict: 'fail',
      sentence: '1,000 of 1,000 viewers connected; CPU of origin exceeded its limit at 00:00:33.',
      reasons: [
        {
          number: 1,
          sentence:
            'CPU of origin exceeded its limit at 00:00:33 with 1,000 viewers, reaching 98 % over 5 s at 00:00:34.',
          expected: 'expected <= 80 %',
          expectation: 'cpu',
          node: 'origin',
        },
      ],
    });
    expect(secondOf(verdict.reasons[0]?.timeMs)).toBe(33);
  });

  it('exclude the time before the first arrival and after the hold', () => {
    const view = viewOf();
    const late = {
      ...view,
      phases: view.phases.map((phase) => ({ ...phase, startMs: phase.startMs + 5000 })),
    };
    expect(judge({ 'origin cpuPercent': between(0, 5, 100, 50) }, late).verdict).toBe('pass');
    expect(judge({ 'origin cpuPercent': between(71, 76, 100, 50) }).verdict).toBe('pass');
  });

  it('count degraded viewers over 5 s, and not one of the first ten as ten percent', () => {
    expect(judge({ 'tester viewersDegraded': between(0, 1, 1, 0) }).verdict).toBe('pass');
    expect(judge({ 'tester viewersDegraded': between(40, 41, 40, 0) }).verdict).toBe('pass');
    const verdict = judge({ 'tester viewersDegraded': between(40, 50, 38, 0) });
    expect(verdict.reasons[0]).toMatchObject({
      expectation: 'degraded',
      sentence:
        '38 of 1,000 viewers, 3.8 %, were degraded on average over 5 s until 00:00:44; too many from 00:00:41 on.',
      expected: 'expected <= 1 %',
    });
  });

  it('count a single GC pause', () => {
    const verdict = judge({ 'origin gcPauseMs': (second) => (second === 31 ? 48.2 : 0.3) });
    expect(verdict.sentence).toBe(
      '1,000 of 1,000 viewers connected; GC pause of origin exceeded its limit at 00:00:31.',
    );
    expect(verdict.reasons[0]?.sentence).toBe(
      'The garbage collector paused origin for up to 48.2 ms, first over the limit at 00:00:31.',
    );
  });

  it('need no pause if the process is observed', () => {
    expect(judge({ 'origin gcPauseMs': () => undefined }).verdict).toBe('pass');
  });

  it('count the connected viewers when the hold ends', () => {
    const view = viewOf({
      failures: [
        {
          tester: 'tester',
          stage: 'ice',
          cause: 'timeout',
          count: 612,
          example: { viewer: 300, timeMs: startMs + 4000, detail: '' },
        },
        {
          tester: 'tester',
          stage: 'media',
          cause: 'silent',
          count: 128,
          example: { viewer: 7, timeMs: startMs + 3000, detail: '' },
        },
      ],
      figures: { ...viewOf().figures, connectedPeak: 388, failed: 740 },
    });
    const verdict = judge({ 'tester viewersConnected': (second) => (second > 70 ? 0 : second > 60 ? 260 : 388) }, view);
    expect(verdict.reasons[0]).toMatchObject({
      expectation: 'connected',
      sentence:
        '260 of 1,000 viewers were connected at the end of the hold, 26 %, too few from 00:01:01 on. 612 viewers failed at ICE: no candidate pair responded in time.',
      expected: 'expected >= 99 %',
      timeMs: startMs + 3000,
    });
    expect(verdict.sentence).toBe(
      '388 of 1,000 viewers connected, fewer than expected; 128 of them were lost before the end of the hold.',
    );
  });

  describe('say of viewers that connected and were lost', () => {
    const lostFrom = (second: number, left: number) => ({
      'tester viewersConnected': (at: number) => (at >= second ? left : 1000),
    });
    const failedAt = (stage: FailureStage, number: number) => ({
      failures: [
        {
          ...{ tester: 'tester', stage, cause: 'silent', count: number },
          example: { viewer: 7, timeMs: startMs + 40_000, detail: '' },
        },
      ],
    });
    const sentenceOf = (left: number, over: Partial<ReturnType<typeof viewOf>>): string =>
      judge(lostFrom(40, left), { ...viewOf(), ...over }).sentence;
    const { plan } = viewOf();

    it('that they were lost later', () => {
      expect(sentenceOf(0, failedAt('media', 1000))).toBe(
        '1,000 of 1,000 viewers connected, of which 1,000 were lost before the end of the hold.',
      );
      expect(sentenceOf(200, failedAt('media', 800))).toContain('of which 800 were lost before');
    });

    it.each<[string, Partial<ReturnType<typeof viewOf>>]>([
      ['that disconnected without a failure', {}],
      [
        'that connected again',
        { ...failedAt('media', 5000), plan: { ...plan, pull: { ...audienceIn(plan), reconnect: true } } },
      ],
    ])('how many were left at the end of those %s', (_, over) => {
      const sentence = sentenceOf(300, over);
      expect(sentence).toContain('1,000 of 1,000 viewers connected; 300 of 1,000 viewers were connected at the end');
      expect(sentence).not.toContain('fewer than expected');
    });
  });

  it('allow viewers to disconnect as the hold ends', () => {
    expect(judge({ 'tester viewersConnected': (second) => (second >= 70 ? 12 : 1000) }).verdict).toBe('pass');
  });

  it('number the reasons by time and name the first', () => {
    const verdict = judge({
      'origin cpuPercent': between(50, 60, 99, 50),
      'origin gcPauseMs': (second) => (second === 20 ? 30 : undefined),
      'tester viewersDegraded': between(35, 45, 90, 0),
    });
    expect(verdict.reasons.map(({ number, expectation }) => [number, expectation])).toEqual([
      [1, 'gcPause'],
      [2, 'degraded'],
      [3, 'cpu'],
    ]);
    expect(verdict.sentence).toContain('GC pause of origin exceeded its limit first, at 00:00:20.');
  });

  it('name what failed first, not what could not be measured', () => {
    const view = viewOf();
    const emptied = { ...view, figures: { ...view.figures, connectedPeak: 0, timeToAllMs: undefined } };
    const verdict = judge({ 'origin cpuPercent': () => undefined, 'tester viewersConnected': () => 0 }, emptied);
    expect(verdict.verdict).toBe('fail');
    expect(verdict.reasons.map(({ expectation }) => expectation)).toEqual(['connected', 'degraded', 'cpu']);
    expect(verdict.sentence).toBe('0 of 1,000 viewers connected, fewer than expected.');
  });

  it('judge only what the plan expects', () => {
    expect(
      judge({ 'origin cpuPercent': () => 100 }, viewOf({}, { connected: { comparison: '>=', value: 99 } })).verdict,
    ).toBe('pass');
  });
});

describe('garbage collectors of other servers', () => {
  const with_ = (server: NodeView['server'], gcSource?: string): RunView => ({
    ...viewOf(),
    nodes: viewOf().nodes.map((node) => (node.role === 'origin' ? { ...node, server, gcSource } : node)),
  });
  const noPause = { 'origin gcPauseMs': () => undefined };

  it('are not required of servers that have none', () => {
    const { verdict, headroom, notes } = judge(noPause, with_('srs'));
    expect(verdict).toBe('pass');
    expect(notes).toMatchObject([
      { expectation: 'gcPause', sentence: 'origin has no garbage collector, so GC pauses were not judged.' },
    ]);
    expect(headroom.join(' ')).not.toContain('GC');
  });

  it('are required if only the process is measured, not if pauses are', () => {
    expect(judge(noPause, with_('generic')).verdict).toBe('inconclusive');
    expect(judge(noPause, with_('generic', 'GC log over SSH (ZGC)')).verdict).toBe('pass');
  });
});

describe("what can't be judged", () => {
  it.each<[string, Curves, string]>([
    [
      'no CPU samples',
      { 'origin cpuPercent': () => undefined },
      'No CPU data from origin (70 s): add SSH or node_exporter.',
    ],
    ['hardly any', { 'origin cpuPercent': between(0, 20, 5, NaN) }, 'CPU of origin was measured only 20 times'],
    [
      'an origin without internal data',
      { 'origin gcPauseMs': () => undefined, 'origin processCpuPercent': () => undefined },
      'The garbage collector of origin can\'t be observed; set "gcPause: off" if it has none.',
    ],
    [
      'a tester that stopped responding',
      { 'tester viewersConnected': (second) => (second < 50 ? 900 : undefined) },
      'No data from tester',
    ],
    ['no count', { 'tester viewersDegraded': () => undefined }, 'No tester counted degraded viewers.'],
  ])('%s', (_, curves, sentence) => {
    const cleaned = Object.fromEntries(
      Object.entries(curves).map(([key, curve]): [string, Curve] => [
        key,
        (second) => {
          const value = curve?.(second);
          return Number.isNaN(value) ? undefined : value;
        },
      ]),
    );
    const verdict = judge(cleaned);
    expect(verdict.verdict).toBe('inconclusive');
    expect(verdict.reasons[0]?.sentence).toContain(sentence);
    expect(verdict.sentence).toContain('the verdict is inconclusive');
  });

  it('degraded viewers of a tester that was at its own limit', () => {
    const degraded = { 'tester viewersDegraded': between(40, 50, 38, 0) };
    const byCpu = judge({ ...degraded, 'tester cpuPercent': between(38, 50, 99, 30) });
    expect(byCpu.verdict).toBe('inconclusive');
    expect(byCpu.reasons.map(({ sentence }) => sentence)).toEqual([
      'tester was at its own limit: CPU 99 % over 5 s at 00:00:42.',
      expect.stringContaining('38 of 1,000 viewers'),
    ]);
    expect(byCpu.sentence).toContain('the verdict is inconclusive: tester was at its own limit: CPU 99 %');
    const byDrops = judge({
      ...degraded,
      'tester udpReceiveBufferErrorsPerSecond': between(39, 49, 2000, 0),
    });
    expect(byDrops.verdict).toBe('inconclusive');
    expect(byDrops.reasons[0]?.sentence).toBe(
      'tester was at its own limit: its host dropped 4,000 datagrams (2 %) within 5 s because socket buffers were full at 00:00:40.',
    );
  });

  describe('viewers of a limited tester', () => {
    const busy = { 'tester cpuPercent': between(20, 30, 99, 30) };
    const two = viewOf({
      plan: { ...viewOf().plan, pull: { ...audienceIn(viewOf().plan), by: ['tester', 'other'] } },
      nodes: [...viewOf().nodes, node('other', 'tester', 'c')],
    });
    const half: Curves = {
      'tester viewersConnected': () => 500,
      'tester viewersRequested': () => 500,
      'other viewersConnected': () => 500,
      'other viewersRequested': () => 500,
      'other viewersDegraded': () => 0,
    };

    it('count again after the interval', () => {
      const late = judge({ ...busy, 'tester viewersDegraded': between(50, 60, 90, 0) });
      expect(late.verdict).toBe('fail');
      expect(late.reasons.map(({ expectation }) => expectation)).toEqual(['degraded']);
      const both = judge({
        ...busy,
        'tester viewersDegraded': (second) => (second >= 22 && second < 60 ? 90 : 0),
      });
      expect(both.verdict).toBe('fail');
      expect(secondOf(both.reasons[0]?.timeMs)).toBeGreaterThan(40);
    });

    it('do not excuse those of another tester that degrade too', () => {
      const degraded = { 'tester viewersDegraded': between(20, 30, 90, 0) };
      expect(judge({ ...half, ...busy, ...degraded }, two).verdict).toBe('inconclusive');
      const all = { ...degraded, 'other viewersDegraded': between(20, 30, 90, 0) };
      expect(judge({ ...half, ...busy, ...all }, two)).toMatchObject({
        verdict: 'fail',
        reasons: [{ sentence: expect.stringContaining('90 of 500 viewers, 18 %') as string }],
      });
    });

    it('that did not connect may be missing because of it', () => {
      const few = { 'tester viewersConnected': () => 700 };
      const verdict = judge({ ...busy, ...few });
      expect(verdict).toMatchObject({
        verdict: 'inconclusive',
        sentence: expect.stringContaining('the verdict is inconclusive: tester was at its own limit') as string,
        reasons: [
          { number: 1, node: 'tester' },
          { number: 2, expectation: 'connected' },
        ],
      });
      expect(judge({ ...half, ...busy, 'other viewersConnected': () => 300 }, two).verdict).toBe('fail');
      expect(judge({ ...half, ...busy, 'tester viewersConnected': () => 300 }, two).verdict).toBe('inconclusive');
    });

    it('lost long after it were not lost because of it', () => {
      const lost = { 'tester viewersConnected': (second: number) => (second < 55 ? 1000 : 0) };
      expect(judge({ ...busy, ...lost }).verdict).toBe('fail');
    });

    it("that the server refused are the server's failures", () => {
      const example = { viewer: 1, timeMs: startMs + 1000, detail: '' };
      const failed = (cause: string): RunView =>
        viewOf({ failures: [{ tester: 'tester', stage: 'signalling', cause, count: 1000, example }] });
      const noViewers = { ...busy, 'tester viewersConnected': () => 0 };
      expect(judge(noViewers, failed('http-404')).verdict).toBe('fail');
      expect(judge(noViewers, failed('timeout')).verdict).toBe('inconclusive');
    });

    it('that failed due to it prove nothing', () => {
      const example = { viewer: 900, timeMs: startMs + 9000, detail: '' };
      const view = viewOf({
        failures: [{ tester: 'tester', stage: 'ice', cause: 'tester-open-files', count: 100, example }],
      });
      const verdict = judge({ 'tester viewersConnected': () => 900 }, view);
      expect(verdict.verdict).toBe('inconclusive');
      expect(verdict.reasons[0]?.sentence).toBe(
        'tester was at its own limit: 100 viewers failed because it ran out of open files at 00:00:09.',
      );
    });

    it('that were refused immediately prove nothing about the origin', () => {
      const limit = { node: 'other', kind: 'open-files', fromMs: startMs, viewers: 0 } as const;
      const refused = [{ ...limit, sentence: 'other can run at most 44 viewers.', expected: 'a file each' }];
      const curves = {
        ...healthy,
        'tester viewersConnected': () => 500,
        'tester viewersRequested': () => 500,
      };
      const { verdict, testerLimits } = judgeRun({ view: two, values: valuesOf(curves), refused });
      expect(verdict.verdict).toBe('inconclusive');
      expect(verdict.reasons.map(({ sentence }) => sentence)).toEqual([
        'other can run at most 44 viewers.',
        '500 of 1,000 viewers were connected at the end of the hold, 50 %.',
      ]);
      expect(testerLimits).toEqual(refused);
    });
  });

  it('still fails the origin for its own measurements', () => {
    const verdict = judge({
      'tester viewersDegraded': between(40, 50, 38, 0),
      'tester cpuPercent': () => 99,
      'origin cpuPercent': () => 97,
    });
    expect(verdict.verdict).toBe('fail');
  });

  it('excuses a tester at its limit whose viewers were not affected', () => {
    const verdict = judge({ 'tester cpuPercent': () => 99 });
    expect(verdict.verdict).toBe('pass');
    expect(verdict.headroom).toContain(
      'tester was at its own limit: CPU 99 % over 5 s at 00:00:03. All expectations were met anyway.',
    );
  });

  it('a run whose audience never started', () => {
    expect(judge({}, viewOf({ phases: [{ name: 'prepare', startMs }] }))).toEqual({
      verdict: 'inconclusive',
      sentence: 'The audience never started, so there is nothing to judge.',
      reasons: [],
      headroom: [],
    });
  });
});

describe('a run that the user stopped', () => {
  const stoppedMs = startMs + 40_000;
  const phases = viewOf().phases.map((phase) => (phase.name === 'hold' ? { ...phase, endMs: stoppedMs } : phase));

  it('is stopped, with what had failed until then', () => {
    const verdict = judge(
      { 'origin gcPauseMs': (second) => (second === 20 ? 30 : undefined) },
      viewOf({ phases }),
      stoppedMs,
    );
    expect(verdict.verdict).toBe('stopped');
    expect(verdict.sentence).toBe('Stopped at 00:00:40; 1,000 of 1,000 viewers connected until then.');
    expect(verdict.reasons.map(({ expectation }) => expectation)).toEqual(['gcPause']);
  });

  it('does not blame an incomplete ramp', () => {
    const ramp = [{ name: 'ramp' as const, startMs, endMs: startMs + 4000 }];
    expect(judge({}, viewOf({ phases: ramp }), startMs + 4000).reasons).toEqual([]);
  });

  it('is judged if its plan had no other end', () => {
    const view = viewOf({ phases });
    const endless = { ...view, plan: { ...view.plan, pull: { ...audienceIn(view.plan), holdMs: 0 } } };
    expect(judge({}, endless, stoppedMs).verdict).toBe('pass');
  });
});
