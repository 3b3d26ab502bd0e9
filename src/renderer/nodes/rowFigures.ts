import type { NodeView } from '../../domain/node';
import type { RunView } from '../../domain/run';
import type { SeriesId } from '../../domain/series';
import type { SampleStore } from '../charts/sampleStore';
import { bytesFigure, figure, type Figure } from '../format/numbers';
import { cpuSource, latest, pauses, toneOf, type Tone } from '../rail/nodeFigures';

interface RowFigure {
  /** What was measured, to sort by; absent where nothing was. */
  readonly value?: number;
  readonly figure: Figure;
  readonly tone: Tone;
}

/** The figures of a node's row, now. */
export interface RowFigures {
  readonly cpu: RowFigure;
  readonly memory: RowFigure;
  /** Absent where nothing collects garbage or nobody measures it. */
  readonly gc?: RowFigure;
  /** CPU or memory is measured. */
  readonly hasHost: boolean;
}

const nothing: RowFigures = {
  cpu: { figure: figure(undefined, '%', 0), tone: 'plain' },
  memory: { figure: bytesFigure(undefined), tone: 'plain' },
  hasHost: false,
};

/** A node that is silent keeps its last figures; they are drawn as old. */
export function rowFigures(
  node: NodeView,
  nodes: readonly NodeView[],
  samples: SampleStore,
  run: RunView | undefined,
): RowFigures {
  const isStale = node.state === 'stale';
  // What has not been started has no figures: those of its host are this machine's.
  if (node.state === 'idle' && node.role === 'origin') return nothing;
  const read = (series: SeriesId, from: string): number | undefined => {
    const last = isStale ? samples.latest(from, series)?.value : undefined;
    return last ?? latest(samples, from, { series, factor: 1 });
  };
  const host = cpuSource(node, nodes, samples).node;
  const cpu = read('cpuPercent', host);
  const memory = read('memoryUsedBytes', host);
  const measuresGc = node.gcSource !== undefined || samples.column(node.id, 'gcPauseMs') !== undefined;
  const pause =
    pauses(samples, node.id) ??
    (isStale ? samples.latest(node.id, 'gcPauseMs')?.value : undefined) ??
    // Measured and nothing happened: no pause is a figure too.
    (node.gcSource !== undefined && node.state === 'live' && cpu !== undefined ? 0 : undefined);
  // The limits are those of the run's origin; another server may be as busy as it likes.
  const isOrigin = run !== undefined && [node.id, node.name].includes(run.plan.pull.from);
  return {
    cpu: {
      value: cpu,
      figure: figure(cpu, '%', 0),
      tone: isOrigin ? toneOf(cpu, run?.plan.expect.cpu, run) : 'plain',
    },
    memory: { value: memory, figure: bytesFigure(memory), tone: 'plain' },
    gc: measuresGc
      ? {
          value: pause,
          figure: figure(pause, 'ms', 1),
          tone: isOrigin ? toneOf(pause, run?.plan.expect.gcPause, run) : 'plain',
        }
      : undefined,
    hasHost: cpu !== undefined || memory !== undefined,
  };
}
