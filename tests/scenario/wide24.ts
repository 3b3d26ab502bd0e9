import { defaultLayout, type ChartLayout } from '../../src/domain/model/chartLayout';
import { builtInChartIds } from '../../src/domain/model/chartIds';
import type { NodeView } from '../../src/domain/model/node';
import type { SeriesId } from '../../src/domain/series/series';
import { wobble } from './noise';
import { batchOf, nodeOf, type Figures, type Scenario } from './scenario';

/** An hour at 1 Hz of 960 series, for 24 charts of 40 lines each: 10 nodes, 4 series of each in a chart. */
const startedMs = Date.UTC(2026, 10, 24, 8, 0, 0);
const chartCount = 24;
const seriesPerChart = 4;

const seriesOf = (chart: number): readonly SeriesId[] =>
  Array.from({ length: seriesPerChart }, (_, at): SeriesId => `server:figure_${chart * seriesPerChart + at}`);

export const wide24Layout: ChartLayout = {
  ...defaultLayout,
  hidden: builtInChartIds,
  custom: Array.from({ length: chartCount }, (_, at) => ({
    id: `custom:${at + 1}`,
    title: `Chart ${at + 1}`,
    series: seriesOf(at),
  })),
};

const all = Array.from({ length: chartCount }, (_, at) => seriesOf(at)).flat();

function figures(node: NodeView, second: number): Figures {
  const noise = wobble(node.id, second, 4);
  return Object.fromEntries(
    all.map((series, at) => [series, 30 + at + 8 * Math.sin(second / (60 + at) + node.colourSlot) + noise]),
  );
}

export function wide24(): Scenario {
  const nodes = Array.from({ length: 10 }, (_, index) =>
    nodeOf(`node-${index + 1}`, index === 0 ? 'origin' : 'tester', index + 1, {}),
  );
  return {
    nodes,
    startedMs,
    lengthMs: 3_600_000,
    ended: false,
    requested: 0,
    expectations: {},
    phases: [{ name: 'hold', startMs: startedMs }],
    events: [],
    reasons: [],
    samples: (fromMs, toMs) => batchOf(nodes, startedMs, fromMs, toMs, figures),
  };
}
