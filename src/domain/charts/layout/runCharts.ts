import { chartsFor, type ChartContext, type ChartSpec } from '../charts';
import { audienceId, isAudienceId } from '../../model/audience';
import { type ChartId } from '../../model/chartIds';
import type { SeriesId } from '../../series/series';
import { autoCharts, type MeasuredSeries } from './autoCharts';
import { arranged, type ChartLayout } from '../../model/chartLayout';
import { customChart } from './customChart';
import { withNoSource, type SourceState } from './noSource';

export interface RunChartContext extends ChartContext {
  readonly layout: ChartLayout;
  readonly measured: readonly MeasuredSeries[];
  /** The run is of data alone: its default charts show all that was measured. */
  readonly isWithoutLoad: boolean;
  /** Charts without data wait out of sight, as those of an import: nothing says that they will have any. */
  readonly onlyWithData?: boolean;
  /** Sources that have had no time to report since their start; absent: none. */
  readonly starting?: SourceState['starting'];
  readonly isLive?: boolean;
}

export interface RunCharts {
  /** In the order of the grid. */
  readonly shown: readonly ChartSpec[];
  /** Collapsed to a line each. */
  readonly folded: readonly ChartSpec[];
  /** Charts of the run that the layout hides. */
  readonly hidden: readonly ChartSpec[];
}

/** True once there is a sample of any of its series. */
export function hasSource(
  { panels }: Pick<ChartSpec, 'panels'>,
  isMeasured: (node: string, series: SeriesId) => boolean,
): boolean {
  return panels.some(({ traces }) =>
    traces.some(({ inputs }) => inputs.some(({ node, series }) => isMeasured(node, series))),
  );
}

/** Without lower panels that have no sample. */
function withoutEmptyPanels(chart: ChartSpec, isMeasured: (node: string, series: SeriesId) => boolean): ChartSpec {
  const panels = chart.panels.filter((panel, index) => index === 0 || hasSource({ panels: [panel] }, isMeasured));
  return panels.length === chart.panels.length ? chart : { ...chart, panels };
}

/** Whether a viewer has connected. */
export function hasConnected(measured: readonly MeasuredSeries[]): boolean {
  return measured.some(({ series, max }) => series === 'viewersConnected' && max > 0);
}

/** The charts of a run, arranged by a layout. Both window and report draw these. */
export function runCharts(context: RunChartContext): RunCharts {
  const { nodes, layout, measured, isWithoutLoad } = context;
  const hidesEmpty = isWithoutLoad || context.onlyWithData === true;
  // A run of an older version has recorded its testers only.
  const audiences = measured.some(({ node }) => isAudienceId(node)) ? (context.audiences ?? []) : [];
  const only = audienceId(0);
  const together = audiences.length === 0 && measured.some(({ node }) => node === only) ? only : undefined;
  const subjects = [...nodes, ...audiences];
  const keys = new Set(measured.map(({ node, series }) => `${node} ${series}`));
  const isMeasured = (node: string, series: SeriesId): boolean => keys.has(`${node} ${series}`);
  const isChosen = (id: ChartId): boolean => layout.order.includes(id) || layout.folded.includes(id);
  const sourceState: SourceState = {
    ...{ hasPull: context.requested > 0, hasConnected: hasConnected(measured) },
    ...{ starting: context.starting, isLive: context.isLive },
  };
  // No source can be added to an import: it has only charts with data.
  const builtIn = chartsFor({ ...context, audiences, together })
    .map((chart) => withNoSource(chart, sourceState, nodes))
    .filter((chart) => !hidesEmpty || isChosen(chart.id) || hasSource(chart, isMeasured))
    .map((chart) => (hidesEmpty ? withoutEmptyPanels(chart, isMeasured) : chart));
  const auto = autoCharts({ nodes: subjects, measured, isWithoutLoad, charts: builtIn });
  const custom = layout.custom.map((chart) => customChart(chart, subjects, isMeasured));
  const all = [...builtIn, ...auto, ...custom];
  const inOrder = arranged(all, layout);
  return {
    shown: inOrder.filter(({ id }) => !layout.folded.includes(id)),
    folded: inOrder.filter(({ id }) => layout.folded.includes(id)),
    hidden: all.filter(({ id }) => layout.hidden.includes(id)),
  };
}
