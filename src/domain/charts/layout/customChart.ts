import type { ChartSpec, LineStyle, PanelSpec, TraceSpec } from '../chartSpec';
import type { ChartId } from '../../model/chartIds';
import type { LineSubject } from '../chartTraces';
import { isAudienceId } from '../../model/audience';
import { isShare } from '../../series/seriesAmount';
import { seriesDefinition, type SeriesId, type Unit } from '../../series/series';
import type { CustomChart } from '../../model/chartLayout';

/** Series whose lowest value is the relevant one. */
const lowestMatters: ReadonlySet<string> = new Set<SeriesId>([
  'frameRate',
  'frameRateP5',
  'playerFrameRate',
  'playerSsim',
  'playerPsnrDb',
  'testerMemoryAvailablePercent',
]);

/** Unit of the axis: bytes are drawn as MiB. */
export function axisUnit(series: SeriesId): PanelSpec['unit'] {
  const unit: Unit = seriesDefinition(series)?.unit ?? '';
  return unit === 'bytes' ? 'MiB' : unit;
}

/** Whether two series can share an axis. */
export function sharesAxis(a: SeriesId, b: SeriesId): boolean {
  return seriesDefinition(a)?.unit === seriesDefinition(b)?.unit;
}

interface CustomLine {
  readonly node: LineSubject;
  readonly series: SeriesId;
}

function trace({ node, series }: CustomLine, place: number, lines: readonly CustomLine[], look: LineStyle): TraceSpec {
  const oneSeries = lines.every((line) => line.series === series);
  const oneNode = lines.every((line) => line.node.id === node.id);
  const title = seriesDefinition(series)?.title ?? series;
  return {
    key: `${node.id} ${series}`,
    label: oneSeries ? node.name : oneNode ? title : `${node.name} ${title}`,
    // A node's colour distinguishes nodes; with several series per node each line needs its own colour.
    owner: { kind: 'node', node: node.id, colourSlot: oneSeries ? node.colourSlot : place + 1 },
    look,
    inputs: [{ node: node.id, series }],
    combine: 'firstMeasured',
    factor: axisUnit(series) === 'MiB' ? 2 ** -20 : 1,
    ...(series === 'gcPauseMs' && { zeroWhere: { node: node.id, series: 'processCpuPercent' } }),
    onlyWhenMeasured: true,
    showFigure: true,
    ...(!oneSeries && { showLabel: true }),
    extreme: lowestMatters.has(series) ? 'lowest' : 'highest',
  };
}

/** A chart of lines, each one series of one node. */
export function lineChart(
  id: ChartId,
  title: string,
  lines: readonly CustomLine[],
  series: readonly SeriesId[],
  look: LineStyle = 'line',
): ChartSpec {
  const [first] = series;
  const unit = first === undefined ? '' : axisUnit(first);
  const titles = series.map((id) => seriesDefinition(id)?.title ?? id);
  const panel: PanelSpec = {
    label: '',
    unit,
    weight: 1,
    traces: lines.map((line, place) => trace(line, place, lines, look)),
    lines: [],
    scale: { low: 0, high: 1, fixed: false, ...(series.every(isShare) && { most: 100 }) },
    headStyle: 'adaptive',
    tooltipStyle: 'adaptive',
  };
  return {
    id,
    title,
    subtitle: unit,
    shortSubtitle: unit,
    panels: [panel],
    gapRings: series.every((id) => id !== 'gcPauseMs'),
    isOfViewers: series.some((id) => seriesDefinition(id)?.source === 'audience'),
    noSource: `No source: no node of this chart records ${titles.slice(0, 3).join(', ')}${titles.length > 3 ? ', ...' : ''}`,
  };
}

/**
 * Every measured series of these nodes; all series while none was measured. Of viewers' series those of the audiences
 * are preferred to those of the testers, which contain the same viewers.
 */
export function linesOf(
  series: readonly SeriesId[],
  nodes: readonly LineSubject[],
  isMeasured: (node: string, series: SeriesId) => boolean,
): readonly CustomLine[] {
  const all = series.flatMap((id) => nodes.map((node) => ({ node, series: id })));
  const measured = all.filter((line) => isMeasured(line.node.id, line.series));
  const byAudience = new Set(measured.flatMap((line) => (isAudienceId(line.node.id) ? [line.series] : [])));
  const preferred = measured.filter((line) => isAudienceId(line.node.id) || !byAudience.has(line.series));
  return preferred.length > 0 ? preferred : all.filter((line) => !isAudienceId(line.node.id));
}

/** The chart of a definition for the nodes of a run. */
export function customChart(
  chart: CustomChart,
  nodes: readonly LineSubject[],
  isMeasured: (node: string, series: SeriesId) => boolean,
): ChartSpec {
  const ownNodes = nodes.filter(({ id }) => chart.nodes?.includes(id) ?? true);
  return lineChart(chart.id, chart.title, linesOf(chart.series, ownNodes, isMeasured), chart.series);
}
