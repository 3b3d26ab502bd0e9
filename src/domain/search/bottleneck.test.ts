import { expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import type { FailureGroup } from '../model/run';
import type { SeriesId } from '../series/series';
import type { LimitResult, Trial } from '../model/limitFound';
import { findBottleneck } from './bottleneck';
import { type BreakEvidence } from './limitLevels';
import { limitTestNodes, limitTestPlan, testValues } from '../../../tests/support/trial';

/** Sizes tried in sequence: 262 held, 275 did not. */
const sizes = [100, 200, 262, 400, 275];
const trials: readonly Trial[] = sizes.map((viewers, i) => ({
  viewers,
  repeat: 1,
  fromMs: i * 20_000,
  toMs: i * 20_000 + 10_000,
  result: viewers <= 262 ? 'met' : 'missed',
  sentence: '',
}));
const found: LimitResult = {
  state: 'found',
  viewers: 269,
  plusMinus: 7,
  maxMet: 262,
  minMissed: 275,
  repeats: 1,
  trials,
  sentence: '',
};

/** A figure of a node by the size of the audience. */
type BySize = Readonly<Record<string, Readonly<Partial<Record<SeriesId, (viewers: number) => number | undefined>>>>>;

/** Normal: each viewer receives its 0.17 Mbit/s, nothing is close to a limit. */
const withHeadroom: BySize = {
  origin: {
    cpuPercent: (viewers) => 10 + viewers / 20,
    originOutMbps: (viewers) => 0.17 * viewers,
    memoryUsedBytes: () => 2e9,
  },
  one: {
    viewersConnected: (viewers) => viewers / 2,
    viewersRequested: (viewers) => viewers / 2,
    lossPercent: () => 0,
  },
  two: {
    viewersConnected: (viewers) => viewers / 2,
    viewersRequested: (viewers) => viewers / 2,
    lossPercent: () => 0,
  },
};

function evidence(made: BySize = {}, origin: Partial<NodeView> = {}, over: Partial<BreakEvidence> = {}): BreakEvidence {
  return {
    found,
    plan: { ...limitTestPlan, expect: {} },
    nodes: limitTestNodes.map((node) => (node.id === 'origin' ? { ...node, ...origin } : node)),
    startedMs: -30_000,
    failures: [],
    values: (node, series, fromMs, toMs) => {
      const trial = trials.find((trial) => trial.fromMs === fromMs);
      const figure = made[node]?.[series] ?? withHeadroom[node]?.[series];
      return testValues(trial && figure?.(trial.viewers), fromMs, toMs);
    },
    ...over,
  };
}

const group = (over: Partial<FailureGroup>): FailureGroup => ({
  tester: 'one',
  stage: 'signalling',
  cause: 'http-503',
  count: 60,
  example: { viewer: 1, timeMs: 0, detail: '' },
  ...over,
});
const half = { viewersConnected: (viewers: number) => Math.min(viewers / 2, 131) };

it.each<[string, BreakEvidence, string, string]>([
  [
    'CPU of the host',
    evidence({ origin: { cpuPercent: (viewers) => Math.min(97, viewers * 0.35) } }),
    'origin-cpu',
    'CPU of origin was at 96.3 % (91.7 % below the break) with 275 viewers at 00:01:50.',
  ],
  [
    'the single thread of a server, while its host has headroom',
    evidence({ origin: { processCpuPercent: (viewers) => Math.min(99, viewers * 0.36) } }, { server: 'srs' }),
    'origin-cpu',
    'The process of origin used 99 % of the single core available to it (94.3 % below the break) with 275 viewers at 00:01:50; more cores do not help.',
  ],
  [
    'one core of several',
    evidence({ origin: { 'cpuCorePercent:2': (viewers) => Math.min(100, viewers * 0.37) } }),
    'origin-cpu',
    'Core 2 of origin was at 100 % (96.9 % below the break) with 275 viewers at 00:01:50, while others had headroom.',
  ],
  [
    'a budget reported by the server',
    evidence({ origin: { 'server:cpu_budget_percent': (viewers) => (100 * viewers) / 270 } }),
    'origin-cpu',
    'origin reported 101.9 % of its CPU budget (97 % below the break) with 275 viewers at 00:01:50.',
  ],
  [
    'CPU with a lower limit in the plan',
    evidence(
      { origin: { cpuPercent: (viewers) => viewers * 0.15 } },
      {},
      { plan: { ...limitTestPlan, expect: { cpu: { comparison: '<=', value: 40 } } } },
    ),
    'origin-cpu',
    'CPU of origin was at 41.3 % (39.3 % below the break), over the expected 40 %, with 275 viewers at 00:01:50.',
  ],
  [
    'memory',
    evidence({ origin: { memoryUsedBytes: (viewers) => Math.min(7.9e9, viewers * 0.029e9) } }),
    'origin-memory',
    '98.8 % of the memory of origin was used with 275 viewers at 00:01:50.',
  ],
  [
    'the garbage collector',
    evidence({ origin: { gcPauseMs: (viewers) => (viewers > 262 ? 240 : 6) } }, {}, { plan: limitTestPlan }),
    'origin-gc',
    'The garbage collector paused origin for up to 240 ms (6 ms below the break) with 275 viewers at 00:01:50.',
  ],
  [
    'bandwidth of measured capacity',
    evidence(
      { origin: { networkOutMbps: (viewers) => Math.min(47, 0.18 * viewers) } },
      { capacity: { mbps: 48, protocol: 'tcp', between: 'one', direction: 'out', measuredMs: 0 } },
    ),
    'origin-bandwidth',
    'origin sent 47 of the 48 Mbit/s measured to one, with 275 viewers at 00:01:50.',
  ],
  [
    'send buffers',
    evidence({ origin: { udpSendBufferErrorsPerSecond: (viewers) => (viewers > 262 ? 900 : 0) } }),
    'origin-sockets',
    'The send buffers of origin were full for 900 datagrams/s (0/s below the break) with 275 viewers at 00:01:50.',
  ],
  [
    'a server that refuses',
    evidence({ one: half, two: half }, {}, { failures: [group({})] }),
    'origin-refuses',
    'origin refused viewers: 262 of 275 viewers were connected at 00:01:50; most failed at signalling: the server is overloaded or out of sessions (HTTP 503).',
  ],
  [
    'a server that accepts no more connections',
    evidence({ one: half, two: half }, {}, { failures: [group({ stage: 'tcp', cause: 'timeout' })] }),
    'origin-sockets',
    'origin accepted no more connections: 262 of 275 viewers were connected at 00:01:50; most failed at TCP: connect timed out.',
  ],
  [
    'a server that accepts one more and closes it',
    evidence({ one: half, two: half }, {}, { failures: [group({ stage: 'signalling', cause: 'closed' })] }),
    'origin-sockets',
    'origin closed new connections: 262 of 275 viewers were connected at 00:01:50; most failed at signalling: the server closed the connection. Check its limits of connections and open files.',
  ],
  [
    'the network between',
    evidence({ two: { lossPercent: (viewers) => (viewers > 262 ? 6 : 0.1) } }),
    'network',
    '6 % of the packets to two were lost (0.1 % below the break) with 275 viewers at 00:01:50, while origin sent each viewer as much as before and had headroom.',
  ],
  [
    'no measured resource: no guess, though packets are missing, since the origin sends less',
    evidence({
      origin: { originOutMbps: (viewers) => (viewers > 262 ? 0.12 : 0.17) * viewers },
      one: { lossPercent: (viewers) => (viewers > 262 ? 30 : 0) },
    }),
    'unknown',
    'origin sent each viewer 29.4 % less with 275 viewers at 00:01:50, and no measured resource was exhausted: its CPU was at 23.8 %.',
  ],
])('names %s', (_, given, what, sentence) => {
  expect(findBottleneck(given)).toMatchObject({ what, sentence, timeMs: 80_000 });
});

it('does not blame CPU used by other work: it was as high with far fewer viewers', () => {
  expect(findBottleneck(evidence({ origin: { cpuPercent: () => 98 } }))).toMatchObject({ what: 'unknown' });
  expect(findBottleneck(evidence({ origin: { 'cpuCorePercent:1': () => 100 } }))).toMatchObject({
    what: 'unknown',
  });
});

it("does not blame the network if the origin's sent traffic is unknown", () => {
  const lossy = { lossPercent: (viewers: number) => (viewers > 262 ? 6 : 0) };
  const given = evidence({ origin: { originOutMbps: () => undefined }, two: lossy });
  expect(findBottleneck(given)).toMatchObject({ what: 'unknown' });
});

it('names the nodes that share the machine', () => {
  const nodes = limitTestNodes.map((node) => ({ ...node, host: 'here' }));
  const given = { ...evidence({ origin: { cpuPercent: (viewers) => viewers * 0.35 } }), nodes };
  expect(findBottleneck(given)?.sentence).toMatch(/; same host as one and two\.$/);
});

it('names the tester that reached its limit before the origin, and nothing without a bottleneck', () => {
  const limited: Trial = {
    ...(trials[3] as Trial),
    result: 'tester-limited',
    sentence: 'two was at its own limit: CPU 97 %.',
  };
  expect(findBottleneck(evidence({}, {}, { found: { ...found, state: 'tester-limited', trials: [limited] } }))).toEqual(
    {
      what: 'tester',
      sentence: 'two was at its own limit: CPU 97 %.',
      node: 'two',
      timeMs: 60_000,
    },
  );
  for (const state of ['not-reached', 'unknown', 'searching'] as const)
    expect(findBottleneck(evidence({}, {}, { found: { ...found, state } }))).toBeUndefined();
});
