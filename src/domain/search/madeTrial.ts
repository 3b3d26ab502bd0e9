import type { NodeView } from '../node';
import { defaultExpectations, type Plan } from '../plan/plan';
import type { SeriesId } from '../series';
import type { Values } from '../windows';
import type { TrialSeen } from './trialSeen';

/** Made trials for the tests of their rules: one origin, two testers, a sample a second. */

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

export const madeNodes: readonly NodeView[] = [
  node('origin', {
    role: 'origin',
    server: 'lab',
    machine: { system: 'linux', kernel: '', cpuModel: '', cores: 4, memoryBytes: 8e9, versions: {} },
  }),
  node('one'),
  node('two'),
];

export const madePlan: Plan = {
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

/** A series of one value, or of one a second, from a moment to another. */
export function madeValues(
  made: number | readonly number[] | undefined,
  fromMs: number,
  toMs: number,
): Values {
  if (made === undefined) return { timeMs: [], value: [] };
  const timeMs = Array.from({ length: Math.floor((toMs - fromMs) / 1000) + 1 }, (_, i) => fromMs + i * 1000);
  return {
    timeMs,
    value: timeMs.map((_, i) => (typeof made === 'number' ? made : (made[i % made.length] ?? 0))),
  };
}

const wellWatched: Made = {
  origin: { cpuPercent: 40, processCpuPercent: 60 },
  one: { viewersConnected: 100, viewersDegraded: 0, viewersRequested: 100 },
  two: { viewersConnected: 100, viewersDegraded: 0, viewersRequested: 100 },
};

/** 200 viewers that watch well for ten seconds, but for what is said. */
export function madeTrial(made: Made = {}, over: Partial<TrialSeen> = {}): TrialSeen {
  const [fromMs, toMs] = [100_000, 110_000];
  return {
    plan: madePlan,
    nodes: madeNodes,
    viewers: 200,
    fromMs,
    toMs,
    startedMs: 0,
    values: (name, series) => {
      const own = made[name];
      const value = own && series in own ? own[series] : wellWatched[name]?.[series];
      return madeValues(value, fromMs, toMs);
    },
    testerLimits: [],
    failures: [],
    ...over,
  };
}
