import type { NodeView } from '../../src/domain/model/node';
import type { Expectations } from '../../src/domain/model/plan';
import type { Phase, RunEvent, RunView, VerdictReason } from '../../src/domain/model/run';
import type { SampleBatch, SeriesId } from '../../src/domain/series/series';

/** A fake run for the window: one set of equations, so that all charts are consistent. */
export interface Scenario {
  readonly nodes: readonly NodeView[];
  /** All nodes, if not all take part in the run. */
  readonly fleet?: readonly NodeView[];
  readonly startedMs: number;
  /** End of the scenario, since the start. */
  readonly lengthMs: number;
  readonly ended: boolean;
  readonly requested: number;
  readonly expectations: Expectations;
  readonly phases: readonly Phase[];
  readonly events: readonly RunEvent[];
  readonly reasons: readonly VerdictReason[];
  /** Planned load profile; Unix ms and viewers. */
  readonly extrapolation?: { fromMs: number; fromValue: number; toMs: number; toValue: number };
  /** An interval in which a tester was at its own limit. */
  readonly doubtful?: ReadonlyArray<{ fromMs: number; label: string }>;
  /** Overrides of the default scenario. */
  readonly run?: Partial<RunView>;
  /** Samples of an interval, both ends in ms since the start; the end is exclusive. */
  readonly samples: (fromMs: number, toMs: number) => SampleBatch;
}

/** One node's figures in one second; unmeasured ones are absent. */
export type Figures = Partial<Record<SeriesId, number>>;

/** Builds the batch of an interval from each node's measurements per second. */
export function batchOf(
  nodes: readonly NodeView[],
  startedMs: number,
  fromMs: number,
  toMs: number,
  figures: (node: NodeView, second: number) => Figures,
): SampleBatch {
  const keys: { node: string; series: SeriesId }[] = [];
  const index = new Map<string, number>();
  const batch = { key: [] as number[], timeMs: [] as number[], value: [] as number[] };
  for (let second = Math.ceil(fromMs / 1000); second * 1000 < toMs; second += 1)
    for (const [place, node] of nodes.entries())
      for (const [series, value] of Object.entries(figures(node, second)) as [SeriesId, number][]) {
        const name = `${node.id} ${series}`;
        const known = index.get(name) ?? keys.push({ node: node.id, series }) - 1;
        index.set(name, known);
        batch.key.push(known);
        // Every node samples at a second of its own clock.
        batch.timeMs.push(startedMs + second * 1000 + place * 37);
        batch.value.push(value);
      }
  return { keys, ...batch };
}

export function nodeOf(id: string, role: NodeView['role'], colourSlot: number, of: Partial<NodeView>): NodeView {
  return { id, name: id, role, colourSlot, state: 'live', reach: 'test', host: id, streams: [], ...of };
}

export function machineOf(cores: number, memoryGib: number): NonNullable<NodeView['machine']> {
  return {
    system: 'Debian 12',
    kernel: '6.1',
    cpuModel: 'Atom C2550',
    cores,
    memoryBytes: memoryGib * 2 ** 30,
    versions: {},
  };
}
