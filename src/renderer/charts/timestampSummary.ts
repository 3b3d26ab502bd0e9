import type { NodeView } from '../../domain/model/node';
import { formatFigure } from '../../domain/text/numberFormat';
import type { Phase } from '../../domain/model/run';
import type { SeriesId } from '../../domain/series/series';
import { ReadoutReader } from '../../domain/charts/drawing/readouts';
import type { SampleStore } from './sampleStore';

const reader = new ReadoutReader();

function sum(store: SampleStore, nodes: readonly NodeView[], series: SeriesId, timeMs: number): number | undefined {
  const inputs = nodes.filter((node) => node.role === 'tester').map((node) => ({ node: node.id, series }));
  const trace = {
    key: series,
    label: series,
    owner: { kind: 'neutral' },
    look: 'line',
    inputs,
    combine: 'sum',
    factor: 1,
    onlyWhenMeasured: false,
    showFigure: true,
    extreme: 'highest',
  } as const;
  return reader.value(store, trace, { kind: 'cursor', timeMs });
}

/** Context of a timestamp: `675 viewers`, the phase, `4.9 /s`; only measured values. */
export function timestampSummary(
  store: SampleStore,
  nodes: readonly NodeView[],
  phases: readonly Phase[],
  timeMs: number,
): readonly string[] {
  const viewers = sum(store, nodes, 'viewersConnected', timeMs);
  const rate = sum(store, nodes, 'arrivalRateAchieved', timeMs);
  const phase = phases.find((phase) => phase.startMs <= timeMs && (phase.endMs ?? Infinity) > timeMs);
  return [
    ...(viewers === undefined ? [] : [`${formatFigure(viewers, 'integer')} viewers`]),
    ...(phase ? [phase.name] : []),
    ...(rate === undefined || rate === 0 ? [] : [`${formatFigure(rate, 'adaptive')} /s`]),
  ];
}
