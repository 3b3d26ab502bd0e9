import type { NodeView } from '../../domain/node';
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
  readonly figure: Figure;
  readonly tone: Tone;
}

/** Figures of the last moments; older ones are not "now". */
const recentMs = 5000;
const pauseWindowMs = 10_000;

/**
 * Where a node's CPU is read. A tester on an origin's machine shows its own process, as in the charts: the host's figure
 * stands in the origin's row.
 */
export function cpuSource(node: NodeView, nodes: readonly NodeView[]): Source {
  const shares =
    node.role === 'tester' && nodes.some((other) => other.role === 'origin' && other.host === node.host);
  if (!shares) return { series: 'cpuPercent', factor: 1 };
  const cores = nodes.find((other) => other.host === node.host && other.machine)?.machine?.cores ?? 1;
  return { series: 'processCpuPercent', factor: 1 / cores };
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

/** The two figures of a node's row: now while it runs, the highest once it has ended. */
export function railFigures(
  node: NodeView,
  nodes: readonly NodeView[],
  samples: SampleStore,
  run: RunView | undefined,
): readonly RailFigure[] {
  const hasEnded = run?.state === 'ended';
  const read = (source: Source): number | undefined =>
    hasEnded ? highest(samples, node.id, source, 0) : latest(samples, node.id, source);
  const suffix = hasEnded ? ' max' : '';
  const cpu = read(cpuSource(node, nodes));
  const isOrigin = node.role === 'origin';
  // The limits are those of the origin that is pulled from; another server may be as busy as it likes.
  const isJudged = run !== undefined && [node.id, node.name].includes(run.plan.pull.from);
  const cpuFigure: RailFigure = {
    label: `CPU${suffix}`,
    figure: figure(cpu, '%', 0),
    tone: isJudged ? toneOf(cpu, run.plan.expect.cpu, run) : 'plain',
  };
  if (!isOrigin) {
    const limits = limitsOf(run, node.id);
    const toneBy = (kind: TesterLimitKind): Tone =>
      limits.some((limit) => limit.kind === kind) ? 'warning' : 'plain';
    const media = read({ series: 'mediaInMbps', factor: 1 }) ?? read({ series: 'networkInMbps', factor: 1 });
    return [
      { ...cpuFigure, tone: toneBy('cpu') },
      { label: `In${suffix}`, figure: figure(media, 'Mbit/s'), tone: toneBy('network') },
    ];
  }
  const pause = hasEnded ? read({ series: 'gcPauseMs', factor: 1 }) : pauses(samples, node.id);
  return [
    cpuFigure,
    {
      label: `GC${suffix}`,
      figure: figure(pause, 'ms'),
      tone: isJudged ? toneOf(pause, run.plan.expect.gcPause, run) : 'plain',
    },
  ];
}
