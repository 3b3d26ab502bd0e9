import type { NodeView } from '../../src/domain/model/node';
import { defaultExpectations, type Plan } from '../../src/domain/model/plan';
import type { Phase, RunView } from '../../src/domain/model/run';
import type { SeriesId } from '../../src/domain/series/series';
import type { Estimate, ResourceEstimate, ResourceId } from '../../src/domain/estimate/estimate';
import { estimateRun } from '../../src/domain/estimate/estimateRun';

export const startMs = Date.UTC(2026, 10, 21, 12, 0, 0);
export const gib = 2 ** 30;

/** An origin's figures at so many viewers, in this second. */
type Course = (viewers: number, second: number) => Partial<Record<SeriesId, number>>;

interface RunFixture {
  readonly sizes?: readonly number[];
  readonly holdSeconds?: number;
  readonly origin?: Course;
  readonly over?: Partial<RunView>;
  readonly node?: Partial<NodeView>;
  readonly host?: string;
}

export const even: Course = (viewers, second) => ({
  cpuPercent: 8 + 0.2 * viewers + ((second * 7) % 5) / 10,
  processCpuPercent: 5 + 0.7 * viewers + ((second * 11) % 7) / 5,
  memoryUsedBytes: 2 * gib + viewers * 3_000_000,
  processMemoryBytes: gib + viewers * 2_900_000 + ((second * 13) % 5) * 1000,
  networkOutMbps: 2 * viewers,
  originViewers: viewers,
});

/** Without figures of the server's process memory. */
export const ofHostOnly: Course = (viewers, second) => {
  const { processMemoryBytes: _, ...others } = even(viewers, second);
  return others;
};

/** A run that held these sizes in sequence, each after a ramp of 4 s. */
export function story({
  sizes = [8, 16, 24, 32, 40],
  holdSeconds = 16,
  origin = even,
  over,
  node,
  host,
}: RunFixture): Estimate {
  const nodes: NodeView[] = [
    {
      id: 'origin',
      name: 'edge-1',
      role: 'origin',
      colourSlot: 1,
      state: 'live',
      reach: 'SSH',
      host: 'a',
      streams: [],
      machine: { system: '', kernel: '', cpuModel: '', cores: 4, memoryBytes: 8 * gib, versions: {} },
      ...node,
    },
    {
      id: 'tester',
      name: 'tester-1',
      role: 'tester',
      colourSlot: 2,
      state: 'live',
      reach: 'SSH',
      host: host ?? 'b',
      streams: [],
    },
  ];
  const samples = new Map<string, { timeMs: number[]; value: number[] }>();
  const phases: Phase[] = [];
  const add = (id: string, series: string, second: number, value: number): void => {
    const column = samples.get(`${id} ${series}`) ?? { timeMs: [], value: [] };
    samples.set(`${id} ${series}`, column);
    column.timeMs.push(startMs + second * 1000 + (id === 'origin' ? 40 : 0));
    column.value.push(value);
  };
  const each = 4 + holdSeconds;
  sizes.forEach((size, step) => {
    const from = startMs + step * each * 1000;
    phases.push({ name: 'ramp', startMs: from, endMs: from + 4000 });
    phases.push({ name: 'hold', startMs: from + 4000, endMs: from + each * 1000 });
    for (let second = step * each; second < (step + 1) * each; second += 1) {
      const before = sizes[step - 1] ?? 0;
      const viewers = Math.round(before + (size - before) * Math.min(1, (second - step * each) / 4));
      add('tester', 'viewersConnected', second, viewers);
      // Connecting costs far more than watching, and for some seconds longer.
      const busy = second - step * each < 7 ? viewers : 0;
      const figures = origin(viewers, second);
      for (const [series, value = 0] of Object.entries(figures))
        add('origin', series, second, series === 'cpuPercent' ? value + busy : value);
    }
  });
  const plan: Plan = {
    name: 'Small',
    nodes: {},
    publish: [],
    pull: {
      stream: 'cam',
      from: 'edge-1',
      by: ['tester-1'],
      protocol: 'whep',
      viewers: 40,
      ratePerSecond: 2,
      holdMs: 1,
    },
    expect: defaultExpectations,
  };
  const view: RunView = {
    id: 'r',
    name: 'Calibration load',
    state: 'ended',
    plan,
    nodes,
    startedMs: startMs,
    phases,
    figures: { timeMs: startMs } as RunView['figures'],
    failures: [],
    readOnly: true,
    ...over,
  };
  return estimateRun({
    view,
    values: (id, series) => samples.get(`${id} ${series}`) ?? { timeMs: [], value: [] },
  });
}

export function resource(estimate: Estimate, id: ResourceId): ResourceEstimate {
  const found = estimate.resources.find((resource) => resource.id === id);
  if (!found) throw new Error(`No ${id} in ${estimate.sentence}`);
  return found;
}
