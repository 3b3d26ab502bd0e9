import type { Plan } from '../../src/domain/model/plan';
import type { RunView, VerdictReason } from '../../src/domain/model/run';
import type { Sample } from '../../src/domain/series/series';
import type { MeasuredRun } from '../../src/domain/compare/measuredRun';
import { samplePlan } from './samplePlan';
import { testFigures } from './savedRun';
import { audienceIn } from './pullPlan';

/** A synthetic run whose figures follow from a few numbers, for tests of comparisons. */
export interface RunFixture {
  readonly id: string;
  readonly startedMs?: number;
  /** Viewers connected, by second from the first arrival; the last quarter is the hold. */
  readonly viewers: readonly number[];
  /** CPU of the origin by viewers connected. */
  readonly cpu?: (viewers: number) => number;
  readonly gc?: (viewers: number) => number | undefined;
  readonly degraded?: (viewers: number) => number;
  readonly connect?: (viewers: number) => number;
  readonly reasons?: readonly VerdictReason[];
  readonly plan?: Partial<Plan>;
  readonly pull?: Partial<Plan['pull']>;
  readonly software?: string;
  readonly gcSource?: string;
  readonly change?: Partial<RunView>;
}

const day = Date.UTC(2026, 10, 12, 9);
/** From the start of the run to the first arrival. */
export const prepareMs = 2000;

export function ramp(to: number, perSecond: number, holdSeconds: number): number[] {
  const rising = Array.from({ length: Math.ceil(to / perSecond) }, (_, i) => Math.min(to, (i + 1) * perSecond));
  return [...rising, ...Array.from({ length: holdSeconds }, () => to)];
}

export function planOf({ plan, pull, viewers }: Pick<RunFixture, 'plan' | 'pull' | 'viewers'>): Plan {
  return samplePlan({ viewers: Math.max(...viewers), ratePerSecond: 10, holdMs: 20_000, ...pull }, plan);
}

export function viewOf(fixture: RunFixture): RunView {
  const startedMs = fixture.startedMs ?? day;
  const endMs = startedMs + prepareMs + fixture.viewers.length * 1000;
  const most = Math.max(...fixture.viewers);
  const fullAt = fixture.viewers.indexOf(most);
  const node = { state: 'live' as const, reach: 'this machine', host: 'host-1', streams: [] };
  const plan = planOf(fixture);
  return {
    id: fixture.id,
    name: plan.name,
    state: 'ended',
    plan,
    nodes: [
      {
        ...node,
        id: 'origin',
        name: 'atom',
        role: 'origin',
        colourSlot: 1,
        software: fixture.software ?? 'WCS 5.2.1',
        ...(fixture.gcSource === undefined ? {} : { gcSource: fixture.gcSource }),
      },
      { ...node, id: 'audience', name: 'tester-1', role: 'tester', colourSlot: 2, host: 'host-2' },
    ],
    startedMs,
    endedMs: endMs + 1000,
    phases: [
      { name: 'prepare', startMs: startedMs, endMs: startedMs + prepareMs },
      { name: 'ramp', startMs: startedMs + prepareMs, endMs: startedMs + prepareMs + fullAt * 1000 },
      { name: 'hold', startMs: startedMs + prepareMs + fullAt * 1000, endMs },
      { name: 'drain', startMs: endMs, endMs: endMs + 1000 },
    ],
    figures: {
      ...testFigures,
      timeMs: endMs,
      requested: audienceIn(plan).viewers,
      connectedPeak: most,
      rateTarget: 10,
      rateAchieved: 10,
    },
    failures: [],
    verdict: {
      verdict: fixture.reasons && fixture.reasons.length > 0 ? 'fail' : 'pass',
      sentence: 'As given.',
      reasons: fixture.reasons ?? [],
      headroom: [],
    },
    readOnly: true,
    ...fixture.change,
  };
}

export function samplesOf(fixture: RunFixture): Sample[] {
  const view = viewOf(fixture);
  return fixture.viewers.flatMap((viewers, second): Sample[] => {
    const timeMs = view.startedMs + prepareMs + second * 1000;
    const arrived = viewers > (fixture.viewers[second - 1] ?? 0);
    const pause = fixture.gc?.(viewers);
    const of = (node: string, series: Sample['series'], value: number): Sample => ({
      timeMs,
      node,
      series,
      value,
    });
    return [
      of('audience', 'viewersConnected', viewers),
      of('audience', 'viewersDegraded', fixture.degraded?.(viewers) ?? 0),
      of('audience', 'jitterP95Ms', 4),
      of('origin', 'cpuPercent', fixture.cpu?.(viewers) ?? viewers / 20),
      ...(arrived ? [of('audience', 'connectP50Ms', fixture.connect?.(viewers) ?? 100)] : []),
      ...(pause === undefined ? [] : [of('origin', 'gcPauseMs', pause)]),
    ];
  });
}

export function measuredOf(fixture: RunFixture): MeasuredRun {
  const samples = samplesOf(fixture);
  const most = Math.max(...fixture.viewers);
  return {
    view: viewOf(fixture),
    values: (node, series) => {
      const matchingSamples = samples.filter((sample) => sample.node === node && sample.series === series);
      return { timeMs: matchingSamples.map(({ timeMs }) => timeMs), value: matchingSamples.map(({ value }) => value) };
    },
    connectMs: Array.from({ length: most }, (_, i) => fixture.connect?.(i) ?? 100),
  };
}

export function reason(
  startedMs: number,
  second: number,
  expectation: NonNullable<VerdictReason['expectation']>,
  number = 1,
): VerdictReason {
  return {
    number,
    sentence: `${expectation} was exceeded.`,
    expected: 'as given',
    expectation,
    timeMs: startedMs + prepareMs + second * 1000,
    node: 'atom',
  };
}
