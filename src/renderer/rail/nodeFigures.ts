import type { FigureSourceView } from '../../domain/figureSources';
import type { NodeView } from '../../domain/node';
import { ofMachine } from '../../domain/nodeFigures';
import type { Expectation } from '../../domain/plan/plan';
import type { RunView, TesterLimitKind } from '../../domain/run';
import type { SeriesId } from '../../domain/series';
import type { SampleStore } from '../charts/sampleStore';
import { figure, type Figure } from '../format/numbers';
import { limitsOf } from '../limited/limited';

/** A series of a node as the rail reads it: sample times factor. */
interface Source {
  readonly series: SeriesId;
  readonly factor: number;
}

export type Tone = 'plain' | 'warning' | 'failure';
export interface RailFigure {
  readonly label: string;
  /** What is counted, where the label alone leaves that open. */
  readonly title?: string;
  readonly figure: Figure;
  readonly tone: Tone;
}

/** Figures of the last moments; older ones are not "now". */
const recentMs = 5000;
const pauseWindowMs = 10_000;

/** Where the CPU of a node's machine is read: under the node's own name, or under that of another node on it. */
export function cpuSource(
  node: NodeView,
  nodes: readonly NodeView[],
  samples: SampleStore,
): Source & { readonly node: string } {
  const measured = ofMachine(node, nodes, (id) => (samples.column(id, 'cpuPercent') ? id : undefined));
  return { node: measured ?? node.id, series: 'cpuPercent', factor: 1 };
}

/** The last sample, when it is of the last moments. */
export function latest(samples: SampleStore, node: string, source: Source): number | undefined {
  const sample = samples.latest(node, source.series);
  if (!sample || sample.timeMs < (samples.lastTimeMs ?? 0) - recentMs) return undefined;
  return sample.value * source.factor;
}

function highest(samples: SampleStore, node: string, source: Source, fromMs: number): number | undefined {
  const column = samples.column(node, source.series);
  if (!column) return undefined;
  let most: number | undefined;
  for (let at = column.length - 1; at >= 0 && column.timeAt(at) >= fromMs; at -= 1)
    most = Math.max(most ?? -Infinity, column.valueAt(at) * source.factor);
  return most;
}

/** Longest pause of the last moments; a node that is measured and did not pause has 0. */
export function pauses(samples: SampleStore, node: string): number | undefined {
  const now = samples.lastTimeMs ?? 0;
  const most = highest(samples, node, { series: 'gcPauseMs', factor: 1 }, now - pauseWindowMs);
  if (most !== undefined) return most;
  return samples.column(node, 'gcPauseMs') &&
    latest(samples, node, { series: 'processCpuPercent', factor: 1 })
    ? 0
    : undefined;
}

export function toneOf(
  value: number | undefined,
  limit: Expectation | undefined,
  run: RunView | undefined,
): Tone {
  if (value === undefined || !limit || value <= limit.value) return 'plain';
  return run?.verdict?.verdict === 'fail' ? 'failure' : 'warning';
}

/** With the source of the figure, once it is known. */
function titleOf(what: string, { figureSources = [] }: NodeView, of: FigureSourceView['of']): string {
  const found = figureSources.find((each) => each.of === of);
  return found ? `${what}, from ${found.source}` : what;
}

/** The two figures of a node's row: now while it runs, the highest once it has ended. */
export function railFigures(
  node: NodeView,
  nodes: readonly NodeView[],
  samples: SampleStore,
  run: RunView | undefined,
): readonly RailFigure[] {
  const hasEnded = run?.state === 'ended';
  const read = (source: Source, from = node.id): number | undefined =>
    hasEnded ? highest(samples, from, source, 0) : latest(samples, from, source);
  const suffix = hasEnded ? ' max' : '';
  const source = cpuSource(node, nodes, samples);
  const cpu = read(source, source.node);
  const isOrigin = node.role === 'origin';
  // The limits are those of the origin that is pulled from; another server may be as busy as it likes.
  const isJudged = run !== undefined && [node.id, node.name].includes(run.plan.pull.from);
  const cpuFigure: RailFigure = {
    label: `CPU${suffix}`,
    title: titleOf('CPU of its machine, % of all cores', node, 'host'),
    figure: figure(cpu, '%', 0),
    tone: isJudged ? toneOf(cpu, run.plan.expect.cpu, run) : 'plain',
  };
  const own = cpu === undefined ? read({ series: 'processCpuPercent', factor: 1 }) : undefined;
  const cpuFigures: readonly RailFigure[] =
    own === undefined
      ? [cpuFigure]
      : [
          {
            label: `Process${suffix}`,
            title: titleOf('CPU of its process, % of one core', node, 'process'),
            figure: figure(own, '%', 0),
            tone: 'plain',
          },
        ];
  if (!isOrigin) {
    const limits = limitsOf(run, node.id);
    const toneBy = (kind: TesterLimitKind): Tone =>
      limits.some((limit) => limit.kind === kind) ? 'warning' : 'plain';
    const media = read({ series: 'mediaInMbps', factor: 1 }) ?? read({ series: 'networkInMbps', factor: 1 });
    return [
      ...cpuFigures.map((each) => ({ ...each, tone: toneBy('cpu') })),
      { label: `In${suffix}`, figure: figure(media, 'Mbit/s'), tone: toneBy('network') },
    ];
  }
  const pause = hasEnded ? read({ series: 'gcPauseMs', factor: 1 }) : pauses(samples, node.id);
  return [
    ...cpuFigures,
    {
      label: `GC${suffix}`,
      figure: figure(pause, 'ms'),
      tone: isJudged ? toneOf(pause, run.plan.expect.gcPause, run) : 'plain',
    },
  ];
}
