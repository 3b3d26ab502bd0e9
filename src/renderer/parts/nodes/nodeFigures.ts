import { firstOrigin } from '../../../domain/model/publisherGroup';
import type { FigureSourceView, NodeView } from '../../../domain/model/node';
import { ofMachine } from '../../../domain/node/nodeFigures';
import type { Expectation } from '../../../domain/model/plan';
import type { RunView, TesterLimitKind } from '../../../domain/model/run';
import type { SeriesId } from '../../../domain/series/series';
import type { SampleStore } from '../../charts/sampleStore';
import { figure, type Figure } from '../../ui/format/numbers';
import { limitsOf } from '../run/testerLimit';

/** A series of a node for the sidebar: sample times factor. */
interface Source {
  readonly series: SeriesId;
  readonly factor: number;
}

export type Tone = 'plain' | 'warning' | 'failure';
export interface SidebarFigure {
  readonly label: string;
  /** What the figure measures, if the label is ambiguous. */
  readonly title?: string;
  readonly figure: Figure;
  readonly tone: Tone;
}

/** Max age of a current figure. */
const recentMs = 5000;
const pauseWindowMs = 10_000;

/** Source of a node's host CPU: the node itself, or another node on the host. */
export function cpuSource(
  node: NodeView,
  nodes: readonly NodeView[],
  samples: SampleStore,
): Source & { readonly node: string } {
  const measured = ofMachine(node, nodes, (id) => (samples.column(id, 'cpuPercent') ? id : undefined));
  return { node: measured ?? node.id, series: 'cpuPercent', factor: 1 };
}

/** The last sample, if current. */
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

/** Longest recent pause; 0 for a measured node without pauses. */
export function pauses(samples: SampleStore, node: string): number | undefined {
  const now = samples.lastTimeMs ?? 0;
  const most = highest(samples, node, { series: 'gcPauseMs', factor: 1 }, now - pauseWindowMs);
  if (most !== undefined) return most;
  return samples.column(node, 'gcPauseMs') && latest(samples, node, { series: 'processCpuPercent', factor: 1 })
    ? 0
    : undefined;
}

export function toneOf(value: number | undefined, limit: Expectation | undefined, run: RunView | undefined): Tone {
  if (value === undefined || !limit || value <= limit.value) return 'plain';
  return run?.verdict?.verdict === 'fail' ? 'failure' : 'warning';
}

/** With the source of the figure, if known. */
function titleOf(what: string, { figureSources = [] }: NodeView, of: FigureSourceView['of']): string {
  const found = figureSources.find((source) => source.of === of);
  return found ? `${what}, from ${found.source}` : what;
}

/** The two figures of a node's row: current during the run, peaks afterwards. */
export function sidebarFigures(
  node: NodeView,
  nodes: readonly NodeView[],
  samples: SampleStore,
  run: RunView | undefined,
): readonly SidebarFigure[] {
  const hasEnded = run?.state === 'ended';
  const read = (source: Source, from = node.id): number | undefined =>
    hasEnded ? highest(samples, from, source, 0) : latest(samples, from, source);
  const suffix = hasEnded ? ' max' : '';
  const source = cpuSource(node, nodes, samples);
  const cpu = read(source, source.node);
  const isOrigin = node.role === 'origin';
  // The limits apply only to the origin under test.
  const isJudged = run !== undefined && [node.id, node.name].includes(firstOrigin(run.plan));
  const cpuFigure: SidebarFigure = {
    label: `CPU${suffix}`,
    title: titleOf('Host CPU, % of all cores', node, 'host'),
    figure: figure(cpu, '%', 0),
    tone: isJudged ? toneOf(cpu, run.plan.expect.cpu, run) : 'plain',
  };
  const own = cpu === undefined ? read({ series: 'processCpuPercent', factor: 1 }) : undefined;
  const cpuFigures: readonly SidebarFigure[] =
    own === undefined
      ? [cpuFigure]
      : [
          {
            label: `Process${suffix}`,
            title: titleOf('Process CPU, % of one core', node, 'process'),
            figure: figure(own, '%', 0),
            tone: 'plain',
          },
        ];
  if (!isOrigin) {
    const limits = limitsOf(run, node.id);
    const toneBy = (kind: TesterLimitKind): Tone => (limits.some((limit) => limit.kind === kind) ? 'warning' : 'plain');
    const media = read({ series: 'mediaInMbps', factor: 1 }) ?? read({ series: 'networkInMbps', factor: 1 });
    return [
      ...cpuFigures.map((figure) => ({ ...figure, tone: toneBy('cpu') })),
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
