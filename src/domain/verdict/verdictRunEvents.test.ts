import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import type { PlanStage } from '../model/audienceValues';
import type { Plan, SeriesThreshold } from '../model/plan';
import type { FailureGroup, RunView, TesterLimit, Verdict } from '../model/run';
import type { LimitResult } from '../model/limitFound';
import { levelAt, segmentsOf, totalTimeMs } from '../stages/loadProfile';
import { withDerived } from '../stages/derived';
import { judgeRun } from './verdict';

const startMs = Date.UTC(2026, 10, 22, 3);

function node(id: string, role: NodeView['role'], host = id): NodeView {
  const server = role === 'origin' ? ('srs' as const) : undefined;
  return { id, name: id, role, server, colourSlot: 1, state: 'live', reach: '', host, streams: [] };
}

const nodes = [node('origin', 'origin'), node('a', 'tester'), node('b', 'tester')];

type Curve = (second: number) => number | undefined;
type Curves = Readonly<Record<string, Curve>>;

interface Made {
  readonly stages?: readonly PlanStage[];
  readonly thresholds?: readonly SeriesThreshold[];
  readonly expect?: Plan['expect'];
  readonly also?: Plan['also'];
  readonly nodes?: readonly NodeView[];
  readonly failures?: readonly FailureGroup[];
  readonly refused?: readonly TesterLimit[];
  readonly limit?: LimitResult;
  readonly search?: boolean;
  readonly stoppedMs?: number;
  /** Offset of the samples after each whole second. */
  readonly offsetMs?: number;
}

/** A run of 60 s, or of its stages, over two testers; each curve gives a value per second, or nothing. */
function judge(made: Made, curves: Curves = {}): Verdict {
  const segments = segmentsOf(made.stages ?? []);
  const seconds = made.stages ? totalTimeMs(segments) / 1000 : 60;
  const at = (second: number): number => startMs + second * 1000;
  const pull = withDerived<NonNullable<Plan['pull']>>({
    stream: 'cam',
    from: 'origin',
    by: made.also ? ['a'] : ['a', 'b'],
    protocol: 'whep',
    viewers: 100,
    ratePerSecond: 10,
    holdMs: 50_000,
    stages: made.stages,
    ...(made.search && {
      search: { fromViewers: 1, maxViewers: 9, settleMs: 1, measureMs: 1, repeats: 3, precisionPercent: 3 },
    }),
  });
  const holds = segments.filter(({ kind }) => kind !== 'ramp');
  const view: RunView = {
    id: 'run',
    name: 'run',
    state: 'stopping',
    plan: {
      name: 'run',
      nodes: {},
      publish: [],
      pull,
      also: made.also,
      expect: made.expect ?? {},
      thresholds: made.thresholds,
    },
    nodes: made.nodes ?? nodes,
    startedMs: startMs,
    phases: [
      { name: 'ramp', startMs, endMs: at(10) },
      ...(made.stages
        ? holds.map(({ fromMs, toMs }) => ({
            name: 'hold' as const,
            startMs: startMs + fromMs,
            endMs: startMs + toMs,
          }))
        : [{ name: 'hold' as const, startMs: at(10), endMs: at(60) }]),
      { name: 'drain', startMs: at(seconds) },
    ],
    figures: {
      timeMs: at(seconds),
      requested: pull.viewers,
      connecting: 0,
      connected: pull.viewers,
      connectedPeak: pull.viewers,
      failed: 0,
      degraded: 0,
      degradedPeak: 0,
      degradedPercentPeak: 0,
      present: pull.viewers,
      rateTarget: 0,
      rateAchieved: 0,
      mediaInMbps: 0,
      packetsPerSecond: 0,
    },
    failures: made.failures ?? [],
    limit: made.limit,
    readOnly: false,
  };
  const level = (second: number): number =>
    made.stages ? levelAt(segments, second * 1000) : Math.min(100, second * 10);
  const all: Curves = {
    'a viewersRequested': (second) => Math.ceil(level(second) / 2),
    'b viewersRequested': (second) => Math.floor(level(second) / 2),
    'a viewersConnected': (second) => Math.ceil(level(second) / 2),
    'b viewersConnected': (second) => Math.floor(level(second) / 2),
    ...curves,
  };
  return judgeRun({
    view,
    stoppedMs: made.stoppedMs,
    refused: made.refused,
    values: (id, series) => {
      const curve = all[`${id} ${series}`];
      const timeMs: number[] = [];
      const value: number[] = [];
      for (let second = 0; curve && second <= seconds + 3; second += 1) {
        const each = curve(second);
        if (each === undefined) continue;
        timeMs.push(at(second) + (made.offsetMs ?? -400));
        value.push(each);
      }
      return { timeMs, value };
    },
  }).verdict;
}

const steps: readonly PlanStage[] = [
  { kind: 'step', viewers: 300, by: 100, holdMs: 20_000, ratePerSecond: 100 },
  { kind: 'spike', viewers: 400, forMs: 10_000, ratePerSecond: 100 },
  { kind: 'hold', forMs: 10_000 },
];
const all = { connected: { comparison: '>=', value: 100 } } as const;
const refusal = (tester: string, fromMs: number): TesterLimit => ({
  node: tester,
  kind: 'open-files',
  fromMs,
  viewers: 0,
  sentence: `${tester} was at its own limit.`,
  expected: 'more',
});

describe('an audience in stages', () => {
  it.each([-400, 0, 150])('passes if all viewers are connected at the end of each level (%i ms)', (offsetMs) => {
    expect(judge({ stages: steps, expect: all, offsetMs })).toMatchObject({
      verdict: 'pass',
      headroom: ['All viewers were connected at the end of each of 5 levels, up to 400.'],
    });
  });

  it('is judged by its worst level, with its time', () => {
    const lost: Curve = (second) => Math.min(140, Math.floor(levelAt(segmentsOf(steps), second * 1000) / 2));
    expect(judge({ stages: steps, expect: all }, { 'b viewersConnected': lost })).toMatchObject({
      verdict: 'fail',
      reasons: [
        {
          expectation: 'connected',
          sentence:
            '340 of 400 viewers were connected at 00:01:12, at the end of their level, 85 %, the lowest of 5 levels; too few from 00:01:02 on.',
          timeMs: startMs + 62_600,
        },
      ],
    });
  });

  it('ignores viewers that disconnect after a spike, or connect on a ramp', () => {
    // Connected viewers follow two seconds later, up and down.
    const late: Curve = (second) => Math.floor(levelAt(segmentsOf(steps), (second - 2) * 1000) / 2);
    expect(judge({ stages: steps, expect: all }, { 'b viewersConnected': late }).verdict).toBe('pass');
  });

  it('is judged at the end of the hold, however slowly the next ramp starts', () => {
    const slow: PlanStage[] = [
      { kind: 'ramp', viewers: 10, overMs: 5000 },
      { kind: 'hold', forMs: 10_000 },
      { kind: 'ramp', viewers: 12, overMs: 60_000 },
      { kind: 'hold', forMs: 10_000 },
    ];
    const segments = segmentsOf(slow);
    // On the ramp some viewers fail for a while.
    const onRamp: Curve = (second) =>
      Math.floor(levelAt(segments, second * 1000) / 2) - (second > 16 && second < 40 ? 1 : 0);
    expect(judge({ stages: slow, expect: all }, { 'b viewersConnected': onRamp }).headroom).toEqual([
      'All viewers were connected at the end of each of 2 levels, up to 12.',
    ]);
  });

  it('counts replaced viewers as connected, since all are connected between two intervals', () => {
    const churn: PlanStage[] = [
      { kind: 'ramp', viewers: 100, overMs: 10_000 },
      { kind: 'churn', replacePercent: 20, everyMs: 10_000, forMs: 45_000, ratePerSecond: 4 },
    ];
    const changing: Curve = (second) => (second < 10 ? second * 5 : 50 - Math.max(0, 10 - ((second - 10) % 10) * 2));
    expect(judge({ stages: churn, expect: all }, { 'b viewersConnected': changing }).verdict).toBe('pass');
    // The tester's target has the same dips.
    const asked = { 'b viewersConnected': changing, 'b viewersRequested': changing };
    expect(judge({ stages: churn, expect: all }, asked).headroom).toEqual([
      'All 100 viewers were connected at the end of their level.',
    ]);
    const less: Curve = (second) => (changing(second) ?? 0) - (second > 40 ? 5 : 0);
    expect(judge({ stages: churn, expect: all }, { 'b viewersConnected': less }).verdict).toBe('fail');
  });

  it("can't be judged if a tester stopped responding", () => {
    const silent: Curve = (second) => (second < 30 ? levelAt(segmentsOf(steps), second * 1000) / 2 : undefined);
    expect(judge({ stages: steps, expect: all }, { 'b viewersConnected': silent })).toMatchObject({
      verdict: 'inconclusive',
      reasons: [{ sentence: expect.stringContaining('No data from b at 00:00:4') as string }],
    });
  });

  it('is inconclusive for a tester at its own limit, but not for other testers', () => {
    const lost: Curve = (second) => Math.min(70, levelAt(segmentsOf(steps), second * 1000) / 2);
    const refused = [refusal('b', startMs + 20_000)];
    const one = judge({ stages: steps, expect: all, refused }, { 'b viewersConnected': lost });
    expect(one.verdict).toBe('inconclusive');
    const both = { 'a viewersConnected': lost, 'b viewersConnected': lost };
    expect(judge({ stages: steps, expect: all, refused }, both).verdict).toBe('fail');
    const early = judge(
      { stages: steps, expect: all, refused: [refusal('b', startMs + 80_000)] },
      { 'b viewersConnected': lost },
    );
    expect(early.verdict).toBe('fail');
  });

  it('is judged by its end if no level lasts', () => {
    const ramp: PlanStage[] = [{ kind: 'ramp', viewers: 100, overMs: 20_000 }];
    expect(judge({ stages: ramp, expect: all }).reasons).toEqual([]);
    expect(judge({ stages: ramp, expect: all }, { 'b viewersConnected': () => 1 }).verdict).toBe('fail');
  });
});

describe('a soak', () => {
  const stages: PlanStage[] = [
    { kind: 'ramp', viewers: 10, overMs: 5000 },
    { kind: 'hold', forMs: 5000 },
    { kind: 'soak', forMs: 100_000 },
    { kind: 'ramp', viewers: 12, overMs: 2000 },
    { kind: 'hold', forMs: 5000 },
  ];

  it('reports what has grown from its first tenth to its last, and what has not', () => {
    const curves: Curves = {
      // Before the soak a server warms up, which does not count as growth.
      'origin processMemoryBytes': (second) => (second < 10 ? 1e6 : 1e8 + (second - 10) * 1e6),
      'origin processOpenFiles': (second) => 200 + second / 50,
    };
    expect(judge({ stages, expect: {} }, curves).headroom).toEqual([
      'Growth on origin over the soak of 1m40s: server process memory from 106 MB to 196 MB (+85.3 %).',
    ]);
    expect(judge({ stages, expect: {} }, { 'origin processOpenFiles': () => 200 }).headroom).toEqual([
      'No growth above 5 % on origin over the soak of 1m40s: open files.',
    ]);
    expect(judge({ stages, expect: {} }).headroom).toEqual([]);
  });
});

describe('several audiences', () => {
  const also: Plan['also'] = [
    { stream: 'x', from: 'edge', by: ['b'], protocol: 'whep', viewers: 50, ratePerSecond: 5, holdMs: 50_000 },
  ];
  const two = [...nodes, node('edge', 'origin')];

  it('are judged together, and each by its own origin', () => {
    const expected = { cpu: { comparison: '<=', value: 80 } } as const;
    const made = { also, nodes: two, expect: expected };
    const cpu = { 'origin cpuPercent': () => 20, 'edge cpuPercent': () => 90 };
    expect(judge(made, cpu)).toMatchObject({ verdict: 'fail', reasons: [{ node: 'edge' }] });
    expect(judge(made, { 'origin cpuPercent': () => 20 })).toMatchObject({
      verdict: 'inconclusive',
      reasons: [{ sentence: 'No CPU data from edge (60 s): add SSH or node_exporter.' }],
    });
  });

  it('miss viewers of any of them that are not connected', () => {
    expect(judge({ also, nodes: two, expect: all }, { 'b viewersConnected': () => 5 }).verdict).toBe('fail');
  });
});

describe('an expectation of any series', () => {
  const rtt: SeriesThreshold = { series: 'rttP95Ms', comparison: '<=', value: 500 };
  const spike =
    (from: number, to: number): Curve =>
    (second) =>
      second >= from && second < to ? 900 : 100;

  it('is met, and reports its value', () => {
    expect(judge({ thresholds: [rtt] }, { 'a rttP95Ms': () => 120 }).headroom).toEqual([
      'RTT p95 of a: max 120 ms, limit 500 ms.',
    ]);
    const frames: SeriesThreshold = { series: 'frameRate', comparison: '>=', value: 24 };
    expect(judge({ thresholds: [frames] }, { 'a frameRate': () => 24.5 }).headroom).toEqual([
      'Frame rate p50 of a: min 24.5 fps, limit 24 fps.',
    ]);
  });

  it('is missed by a single second, with its time, also in the headline', () => {
    expect(judge({ thresholds: [rtt] }, { 'a rttP95Ms': spike(30, 31), 'b rttP95Ms': () => 5 })).toMatchObject({
      verdict: 'fail',
      sentence: '100 of 100 viewers connected; RTT p95 of a missed its limit at 00:00:29.',
      reasons: [
        {
          series: 'rttP95Ms',
          node: 'a',
          sentence:
            'RTT p95 of a exceeded its limit of 500 ms at 00:00:29, reaching 900 ms: 1 of 60 s beyond it (1.7 %).',
          expected: 'expected <= 500 ms',
          timeMs: startMs + 29_600,
        },
      ],
      headroom: ['RTT p95 of b: max 5 ms, limit 500 ms.'],
    });
  });

  it('may be missed within its tolerance, and no longer', () => {
    const tolerant = { ...rtt, tolerancePercent: 5 };
    expect(judge({ thresholds: [tolerant] }, { 'a rttP95Ms': spike(30, 33) })).toMatchObject({
      verdict: 'pass',
      headroom: ['RTT p95 of a: max 900 ms, limit 500 ms; 3 of 60 s beyond it (5 %, tolerance 5 %).'],
    });
    expect(judge({ thresholds: [tolerant] }, { 'a rttP95Ms': spike(30, 34) })).toMatchObject({
      verdict: 'fail',
      reasons: [{ expected: 'expected <= 500 ms, tolerance 5 % of the time' }],
    });
  });

  it('is not judged in its grace period', () => {
    const curves = { 'a rttP95Ms': spike(0, 10) };
    expect(judge({ thresholds: [rtt] }, curves).verdict).toBe('fail');
    expect(judge({ thresholds: [{ ...rtt, graceMs: 10_000 }] }, curves).verdict).toBe('pass');
    expect(judge({ thresholds: [{ ...rtt, graceMs: 99_000 }] }, curves)).toMatchObject({
      verdict: 'inconclusive',
      reasons: [{ sentence: 'RTT p95 was not judged: the run ended within the grace period of 99 s.' }],
    });
  });

  it('is judged on one node if it names one', () => {
    const named = { ...rtt, node: 'b' };
    const curves = { 'a rttP95Ms': () => 900, 'b rttP95Ms': () => 10 };
    expect(judge({ thresholds: [named] }, curves).verdict).toBe('pass');
    expect(judge({ thresholds: [{ ...rtt, node: 'origin' }] }, curves)).toMatchObject({
      verdict: 'inconclusive',
      sentence: '100 of 100 viewers connected, but the verdict is inconclusive: RTT p95 of origin was not measured.',
      reasons: [{ series: 'rttP95Ms', sentence: 'RTT p95 of origin was not measured.' }],
    });
  });

  it('uses figures of a host under the name of another node on it', () => {
    const shared = [node('origin', 'origin', 'h'), node('a', 'tester', 'h'), node('b', 'tester')];
    const memory: SeriesThreshold = {
      series: 'memoryUsedBytes',
      comparison: '<=',
      value: 4e9,
      node: 'origin',
    };
    expect(judge({ thresholds: [memory], nodes: shared }, { 'a memoryUsedBytes': () => 2.5e9 }).headroom).toEqual([
      'Memory used of origin: max 2.5 GB, limit 4 GB.',
    ]);
  });

  it('is inconclusive for viewer metrics while their tester was at its limit', () => {
    const weak: Curves = { 'a rttP95Ms': spike(30, 40), 'a testerHostCpuPercent': spike(28, 40) };
    const busy = {
      ...weak,
      'a testerHostCpuPercent': (second: number) => (second >= 28 && second < 40 ? 99 : 20),
    };
    expect(judge({ thresholds: [rtt] }, busy)).toMatchObject({ verdict: 'inconclusive' });
    expect(judge({ thresholds: [rtt] }, { ...busy, 'a rttP95Ms': spike(5, 9) }).verdict).toBe('fail');
    // The origin's own measurements are no viewer metrics.
    const answer: SeriesThreshold = { series: 'originResponseMs', comparison: '<=', value: 500 };
    expect(judge({ thresholds: [answer] }, { ...busy, 'origin originResponseMs': spike(30, 40) }).verdict).toBe('fail');
  });
});

describe('a run that searched for the limit', () => {
  const found: LimitResult = {
    state: 'found',
    viewers: 262,
    plusMinus: 6,
    repeats: 3,
    trials: [],
    bottleneck: {
      what: 'origin-cpu',
      sentence: 'CPU of origin was at 97 %.',
      node: 'origin',
      timeMs: startMs + 5,
    },
    sentence: '262 +- 6 viewers, 3 repeats; bottleneck: CPU of the origin.',
  };

  it('passes with its result, whatever it measured on the way', () => {
    expect(judge({ search: true, limit: found, expect: all }, { 'a viewersConnected': () => 0 })).toEqual({
      verdict: 'pass',
      sentence: 'Limit: 262 +- 6 viewers, 3 repeats; bottleneck: CPU of the origin.',
      reasons: [],
      headroom: ['CPU of origin was at 97 %.'],
    });
    const most = {
      ...found,
      state: 'not-reached' as const,
      bottleneck: undefined,
      sentence: 'At least 9 viewers; no limit reached.',
    };
    expect(judge({ search: true, limit: most })).toMatchObject({
      verdict: 'pass',
      sentence: 'Limit: at least 9 viewers; no limit reached.',
    });
  });

  it('is inconclusive if the testers reached their limit', () => {
    const limited = {
      ...found,
      state: 'tester-limited' as const,
      sentence: 'The testers reached their limit.',
      bottleneck: undefined,
    };
    expect(judge({ search: true, limit: limited, refused: [refusal('a', startMs)] })).toMatchObject({
      verdict: 'inconclusive',
      sentence: 'The testers reached their limit.',
      reasons: [{ number: 1, node: 'a' }],
    });
    expect(judge({ search: true, limit: { ...found, state: 'unknown' } }).verdict).toBe('inconclusive');
    expect(judge({ search: true }).verdict).toBe('inconclusive');
  });

  it('is stopped if the user stopped it before it had a result', () => {
    const stoppedMs = startMs + 9000;
    expect(judge({ search: true, stoppedMs, limit: { ...found, state: 'stopped' } }).verdict).toBe('stopped');
    expect(judge({ search: true, stoppedMs, limit: found }).verdict).toBe('pass');
  });
});
