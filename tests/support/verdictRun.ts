import type { NodeView } from '../../src/domain/model/node';
import type { Expectations } from '../../src/domain/model/plan';
import type { RunView, Verdict } from '../../src/domain/model/run';
import type { SeriesId } from '../../src/domain/series/series';
import type { RunEvents } from '../../src/domain/evidence/evidence';
import { judgeRun } from '../../src/domain/verdict/verdict';
import type { Values } from '../../src/domain/series/windows';

/** The defaults as explicit expectations of a plan: they have to be measured. */
export const ownExpectations = {
  connected: { comparison: '>=', value: 99 },
  degraded: { comparison: '<=', value: 1 },
  cpu: { comparison: '<=', value: 80 },
  gcPause: { comparison: '<=', value: 10 },
} as const satisfies Expectations;

export const startMs = Date.UTC(2026, 10, 22, 15, 20, 31);
const rampSeconds = 10;
export const endSeconds = 70;

export function node(id: string, role: NodeView['role'], host: string): NodeView {
  const server = role === 'origin' ? ('lab' as const) : undefined;
  return { id, name: id, role, server, colourSlot: 1, state: 'live', reach: '', host, streams: [] };
}

export function viewOf(changes: Partial<RunView> = {}, expectations: Expectations = ownExpectations): RunView {
  return {
    id: 'run',
    name: 'Pull 1000',
    state: 'stopping',
    plan: {
      name: 'Pull 1000',
      nodes: { origin: { server: 'lab' }, tester: { tester: 'local' } },
      publish: [],
      pull: {
        stream: 'cam',
        from: 'origin',
        by: ['tester'],
        protocol: 'whep',
        viewers: 1000,
        ratePerSecond: 100,
        holdMs: 60_000,
      },
      expect: expectations,
    },
    nodes: [node('origin', 'origin', 'a'), node('tester', 'tester', 'b')],
    startedMs: startMs,
    phases: [
      { name: 'prepare', startMs, endMs: startMs },
      { name: 'ramp', startMs, endMs: startMs + rampSeconds * 1000 },
      { name: 'hold', startMs: startMs + rampSeconds * 1000, endMs: startMs + endSeconds * 1000 },
    ],
    figures: {
      timeMs: startMs + endSeconds * 1000,
      requested: 1000,
      connecting: 0,
      connected: 1000,
      connectedPeak: 1000,
      failed: 0,
      degraded: 0,
      degradedPeak: 0,
      degradedPercentPeak: 0,
      present: 1000,
      rateTarget: 100,
      rateAchieved: 100,
      timeToAllMs: 10_040,
      mediaInMbps: 170,
      packetsPerSecond: 40_000,
    },
    failures: [],
    readOnly: false,
    ...changes,
  };
}

export type Curve = (second: number) => number | undefined;
export type Curves = Partial<Record<string, Curve>>;

/** A healthy run; each curve gives a value per second, or nothing. */
export const healthy: Curves = {
  'origin cpuPercent': (second) => Math.min(50, 10 + second),
  'origin processCpuPercent': () => 60,
  'origin gcPauseMs': (second) => (second % 10 === 0 ? 0.4 : undefined),
  'tester viewersConnected': (second) => Math.min(1000, second * 100),
  'tester viewersDegraded': () => 0,
  'tester packetsPerSecond': () => 40_000,
  'tester cpuPercent': () => 30,
};

export function valuesOf(curves: Curves): (node: string, series: SeriesId) => Values {
  return (id, series) => {
    const curve = curves[`${id} ${series}`];
    const timeMs: number[] = [];
    const value: number[] = [];
    for (let second = 0; curve && second <= endSeconds + 5; second += 1) {
      const each = curve(second);
      if (each === undefined) continue;
      timeMs.push(startMs + second * 1000);
      value.push(each);
    }
    return { timeMs, value };
  };
}

export function judge(
  curves: Curves = {},
  view: RunView = viewOf(),
  stoppedMs?: number,
  runEvents?: RunEvents,
): Verdict {
  return judgeRun({ view, stoppedMs, runEvents, values: valuesOf({ ...healthy, ...curves }) }).verdict;
}

export const secondOf = (timeMs: number | undefined): number => ((timeMs ?? 0) - startMs) / 1000;
export const between =
  (from: number, to: number, inside: number, outside: number): Curve =>
  (second) =>
    second >= from && second < to ? inside : outside;
