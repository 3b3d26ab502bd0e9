import type { NodeView } from '../../../domain/model/node';
import { firstOrigin } from '../../../domain/model/publisherGroup';
import type { RunView } from '../../../domain/model/run';
import type { SeriesId } from '../../../domain/series/series';
import type { SampleStore } from '../../charts/sampleStore';
import { bytesFigure, figure, type Figure } from '../../ui/format/numbers';
import { waitsForPerson } from '../../parts/nodes/rowText';
import { cpuSource, latest, pauses, toneOf, type Tone } from '../../parts/nodes/nodeFigures';

interface RowFigure {
  /** Measured value, for sorting; absent if missing. */
  readonly value?: number;
  readonly figure: Figure;
  readonly tone: Tone;
}

/** Current figures of a node's row. */
export interface RowFigures {
  readonly cpu: RowFigure;
  readonly memory: RowFigure;
  /** Absent without a garbage collector or measurement. */
  readonly gc?: RowFigure;
  /** CPU or memory of the host is measured. */
  readonly hasHost: boolean;
}

const nothing: RowFigures = {
  cpu: { figure: figure(undefined, '%', 0), tone: 'plain' },
  memory: { figure: bytesFigure(undefined), tone: 'plain' },
  hasHost: false,
};

/** A node that does not respond keeps its last figures, drawn as stale, unless it waits for a person. */
export function rowFigures(
  node: NodeView,
  nodes: readonly NodeView[],
  samples: SampleStore,
  run: RunView | undefined,
): RowFigures {
  const isStale = node.state === 'stale' && !waitsForPerson(node);
  // An idle origin has no figures: those of its host belong to this machine.
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
    // Measured without a pause: 0 is a value.
    (node.gcSource !== undefined && node.state === 'live' && cpu !== undefined ? 0 : undefined);
  // The limits are those of the run's origin; they do not apply to other servers.
  const isOrigin = run !== undefined && [node.id, node.name].includes(firstOrigin(run.plan));
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
