import type { NodeView } from '../../src/domain/model/node';
import { defaultExpectations, type Plan } from '../../src/domain/model/plan';
import type { SeriesId } from '../../src/domain/series/series';
import type { Values } from '../../src/domain/series/windows';
import type { TrialInput } from '../../src/domain/search/trialInput';

/** Synthetic trials for the tests of their rules: one origin, two testers, a sample a second. */

export type Made = Readonly<Record<string, Readonly<Partial<Record<SeriesId, number | readonly number[]>>>>>;

const node = (id: string, over: Partial<NodeView> = {}): NodeView => ({
  id,
  name: id,
  role: 'tester',
  colourSlot: 0,
  state: 'live',
  reach: 'SSH',
  host: id,
  streams: [],
  ...over,
});

export const limitTestNodes: readonly NodeView[] = [
  node('origin', {
    role: 'origin',
    server: 'lab',
    machine: { system: 'linux', kernel: '', cpuModel: '', cores: 4, memoryBytes: 8e9, versions: {} },
  }),
  node('one'),
  node('two'),
];

export const limitTestPlan: Plan = {
  name: 'Limit',
  nodes: { origin: { server: 'lab' }, one: { tester: 'local' }, two: { tester: 'local' } },
  publish: [],
  pull: {
    stream: 'cam',
    from: 'origin',
    by: ['one', 'two'],
    protocol: 'whep',
    viewers: 1000,
    ratePerSecond: 100,
    holdMs: 0,
  },
  expect: defaultExpectations,
};

/** A series of one value, or of one a second, from one time to another. */
export function testValues(made: number | readonly number[] | undefined, fromMs: number, toMs: number): Values {
  if (made === undefined) return { timeMs: [], value: [] };
  const timeMs = Array.from({ length: Math.floor((toMs - fromMs) / 1000) + 1 }, (_, i) => fromMs + i * 1000);
  return {
    timeMs,
    value: timeMs.map((_, i) => (typeof made === 'number' ? made : (made[i % made.length] ?? 0))),
  };
}

const healthy: Made = {
  origin: { cpuPercent: 40, processCpuPercent: 60 },
  one: { viewersConnected: 100, viewersDegraded: 0, viewersRequested: 100 },
  two: { viewersConnected: 100, viewersDegraded: 0, viewersRequested: 100 },
};

/** 200 viewers without problems for ten seconds, except as given. */
export function testTrial(made: Made = {}, over: Partial<TrialInput> = {}): TrialInput {
  const [fromMs, toMs] = [100_000, 110_000];
  return {
    plan: limitTestPlan,
    nodes: limitTestNodes,
    viewers: 200,
    fromMs,
    toMs,
    startedMs: 0,
    values: (name, series) => {
      const own = made[name];
      const value = own && series in own ? own[series] : healthy[name]?.[series];
      return testValues(value, fromMs, toMs);
    },
    testerLimits: [],
    failures: [],
    ...over,
  };
}
