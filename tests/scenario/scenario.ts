import type { NodeView } from '../../src/domain/node';
import type { Expectations } from '../../src/domain/plan/plan';
import type { Phase, RunEvent, RunView, VerdictReason } from '../../src/domain/run';
import type { SampleBatch, SeriesId } from '../../src/domain/series';

/** A made-up run to try the window with: one set of equations, so that every chart tells the same story. */
export interface Scenario {
  readonly nodes: readonly NodeView[];
  /** All nodes, when there are more than take part in the run. */
  readonly fleet?: readonly NodeView[];
  readonly startedMs: number;
  /** Time until which the story is told, since the start. */
  readonly lengthMs: number;
  readonly ended: boolean;
  readonly requested: number;
  readonly expectations: Expectations;
  readonly phases: readonly Phase[];
  readonly events: readonly RunEvent[];
  readonly reasons: readonly VerdictReason[];
  /** Expected course of the viewers; Unix ms and viewers. */
  readonly extrapolation?: { fromMs: number; fromValue: number; toMs: number; toValue: number };
  /** A stretch in which a tester was at its own limit. */
  readonly doubtful?: ReadonlyArray<{ fromMs: number; label: string }>;
  /** What the run says otherwise than the usual story. */
  readonly run?: Partial<RunView>;
  /** Samples of a stretch of time, both ends in ms since the start; the end is not included. */
  readonly samples: (fromMs: number, toMs: number) => SampleBatch;
}

/** One node's figures in one second; what was not measured is absent. */
export type Figures = Partial<Record<SeriesId, number>>;

/** Builds the batch of a stretch of time from what each node measured each second. */
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
        // Every node samples on a second of its own clock.
        batch.timeMs.push(startedMs + second * 1000 + place * 37);
        batch.value.push(value);
      }
  return { keys, ...batch };
}

export function nodeOf(
  id: string,
  role: NodeView['role'],
  colourSlot: number,
  of: Partial<NodeView>,
): NodeView {
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
