import { chartsFor, type ChartSpec, type PanelSpec, type TraceSpec } from '../charts/charts';
import type { NodeRole, NodeView } from '../model/node';
import { defaultExpectations } from '../model/plan';
import { type PercentileSeries, percentileSeriesOf, statPercent } from '../series/distributions';
import { histogramMetricOf, metricOf } from '../series/metricNames';

/** One node of each role represents all: Grafana finds the nodes by their labels. */
const example: Readonly<Record<NodeRole, NodeView>> = {
  origin: exampleOf('origin', 1),
  tester: exampleOf('tester', 2),
};

function exampleOf(role: NodeRole, colourSlot: number): NodeView {
  return { id: role, name: role, role, colourSlot, state: 'live', reach: '', host: role, streams: [] };
}

/** Grafana's grid has 24 columns; a card takes eight. */
const width = 8;
const height = 8;

const datasource = { type: 'prometheus', uid: '${datasource}' } as const;

/**
 * The dashboard of a run in Grafana's classic JSON model, which every Grafana since version 8 imports. It is generated
 * from the cards of the console, so that both show the same lines and limits.
 */
export function grafanaDashboard(): Readonly<Record<string, unknown>> {
  const cards = chartsFor({ nodes: Object.values(example), expect: defaultExpectations, requested: 0 });
  const panels = cards.flatMap((card) => card.panels.map((panel, index) => ({ card, panel, isLower: index > 0 })));
  return {
    id: null,
    uid: 'fullhouse-run',
    title: 'Fullhouse',
    description: 'An active load test: the origin and its audience, as measured by Fullhouse.',
    tags: ['fullhouse', 'webrtc'],
    timezone: 'browser',
    editable: true,
    graphTooltip: 1,
    schemaVersion: 39,
    version: 1,
    refresh: '5s',
    time: { from: 'now-15m', to: 'now' },
    links: [],
    annotations: { list: [] },
    templating: { list: variables },
    panels: panels.map(({ card, panel, isLower }, index) => panelOf(card, panel, isLower, index)),
  };
}

const variables = [
  {
    ...{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' },
    ...{ refresh: 1, hide: 0, includeAll: false, multi: false, options: [], regex: '' },
  },
  ...[
    { name: 'run', label: 'Run', query: 'label_values(fullhouse_node_up, run)' },
    { name: 'node', label: 'Node', query: 'label_values(fullhouse_node_up{run=~"$run"}, node)' },
  ].map(({ name, label, query }) => ({
    ...{ name, label, type: 'query', datasource, definition: query, query: { query, refId: name } },
    // A node observed without a run lacks this label, and only a match-all finds it.
    ...{ includeAll: true, allValue: '.*', multi: true, current: { text: ['All'], value: ['$__all'] } },
    ...{ refresh: 2, sort: 1, hide: 0, options: [], regex: '' },
  })),
];

function panelOf(card: ChartSpec, panel: PanelSpec, isLower: boolean, index: number): Record<string, unknown> {
  const unit = grafanaUnit(panel.unit);
  const lines = panel.traces.flatMap((trace) => {
    const expr = promqlOf(trace, (node) => (node === example.tester.id ? 'tester' : 'origin'));
    return expr === undefined ? [] : [{ trace, expr: unit.times === undefined ? expr : `${unit.times} * (${expr})` }];
  });
  return {
    id: index + 1,
    type: 'timeseries',
    title: isLower ? `${card.title}: ${panel.label.replace(/ %$/, '')}` : card.title,
    description: isLower ? '' : card.subtitle,
    datasource,
    gridPos: { x: (index * width) % 24, y: Math.floor((index * width) / 24) * height, w: width, h: height },
    targets: lines.map(({ trace, expr }, at) => ({
      ...{ refId: String.fromCharCode(65 + at), datasource, expr, legendFormat: legendOf(trace) },
      ...{ range: true, instant: false, editorMode: 'code' },
    })),
    options: {
      legend: { displayMode: 'list', placement: 'bottom', showLegend: true, calcs: ['lastNotNull'] },
      tooltip: { mode: 'multi', sort: 'desc' },
    },
    fieldConfig: {
      defaults: {
        unit: unit.id,
        min: panel.scale.low * unit.factor,
        ...(panel.scale.fixed ? { max: panel.scale.high * unit.factor } : {}),
        color: { mode: 'palette-classic' },
        thresholds: thresholdsOf(panel, unit.factor),
        custom: customOf(panel),
      },
      overrides: lines.flatMap(({ trace }, at) => overrideOf(trace, at)),
    },
  };
}

/** A limit of the verdict, as a line of its own colour. */
function thresholdsOf(panel: PanelSpec, factor: number): Record<string, unknown> {
  const limits = panel.lines.filter(({ kind }) => kind === 'limit');
  return {
    mode: 'absolute',
    steps: [
      { color: 'transparent', value: null },
      ...limits.map(({ value }) => ({ color: 'red', value: value * factor })),
    ],
  };
}

function customOf(panel: PanelSpec): Record<string, unknown> {
  const hasLimit = panel.lines.some(({ kind }) => kind === 'limit');
  return {
    ...{ drawStyle: 'line', lineInterpolation: 'linear', lineWidth: 1, fillOpacity: 0 },
    // Gaps stay visible.
    ...{ showPoints: 'never', spanNulls: false },
    thresholdsStyle: { mode: hasLimit ? 'dashed' : 'off' },
  };
}

/** What distinguishes a line from the others of its panel; `at` is the index of its query. */
function overrideOf({ look, owner }: TraceSpec, at: number): Array<Record<string, unknown>> {
  const properties: Array<{ readonly id: string; readonly value: unknown }> = [];
  const custom = (name: string, value: unknown): void => void properties.push({ id: `custom.${name}`, value });
  if (look === 'stack') {
    custom('stacking', { mode: 'normal', group: 'A' });
    custom('fillOpacity', 30);
  }
  if (look === 'area') custom('fillOpacity', 40);
  if (look === 'asked') custom('lineStyle', { fill: 'dash', dash: [6, 4] });
  if (look === 'dots') {
    custom('drawStyle', 'points');
    custom('showPoints', 'always');
  }
  if (owner.kind === 'degraded') properties.push({ id: 'color', value: { mode: 'fixed', fixedColor: 'orange' } });
  return properties.length === 0
    ? []
    : [{ matcher: { id: 'byFrameRefID', options: String.fromCharCode(65 + at) }, properties }];
}

/** The series of a panel: those of the selected nodes and run. */
const chosen = 'run=~"$run",node=~"$node"';

/** A line of a card as PromQL over every node of its inputs' role; undefined if nothing is measured for it. */
function promqlOf(trace: TraceSpec, roleOf: (node: string) => NodeRole): string | undefined {
  const [percentile] = trace.inputs.flatMap(({ series }) => percentileSeriesOf(series) ?? []);
  if (percentile) return quantileOf(percentile, trace.owner.kind === 'node');
  const parts = new Set(
    trace.inputs.flatMap(({ node, series }) => {
      const metric = metricOf(series);
      return metric ? [`${metric.name}{role="${roleOf(node)}",${chosen}}`] : [];
    }),
  );
  if (parts.size === 0) return undefined;
  const all = [...parts].join(' or ');
  if (trace.combine === 'firstMeasured') return firstOf([...parts]);
  return `${trace.combine === 'sum' ? 'sum' : 'max'}(${all})`;
}

/** A quantile over the viewers of each tester or of all: by native histograms, else by classic ones. */
function quantileOf({ distribution, stat }: PercentileSeries, perNode: boolean): string {
  const { name } = histogramMetricOf(distribution);
  const labels = perNode ? ['instance', 'node', 'run'] : [];
  const rate = (metric: string): string => `rate(${metric}{role="tester",${chosen}}[$__rate_interval])`;
  const sum = (by: readonly string[], metric: string): string =>
    by.length === 0 ? `sum(${rate(metric)})` : `sum by (${by.join(', ')}) (${rate(metric)})`;
  return [sum(labels, name), sum([...labels, 'le'], `${name}_bucket`)]
    .map((histogram) => `histogram_quantile(${statPercent[stat] / 100}, ${histogram})`)
    .join(' or ');
}

/** The name of a line in the legend: the node's name for a line of one node. */
function legendOf(trace: TraceSpec): string {
  return trace.owner.kind === 'node' ? '{{node}}' : trace.label;
}

/** The second applies where a node has none of the first, whatever their other labels are. */
function firstOf(parts: readonly string[]): string {
  return parts.join(' or on (instance, node, run) ');
}

/** How Grafana displays a metric in base units, and the factor from the card's unit. */
interface GrafanaUnit {
  readonly id: string;
  /** Base units per unit of the card. */
  readonly factor: number;
  /** If the metric has another unit than the display. */
  readonly times?: number;
}

const units: Readonly<Record<string, GrafanaUnit>> = {
  '%': { id: 'percentunit', factor: 0.01 },
  ms: { id: 's', factor: 0.001 },
  // Exposed in bytes like all metrics; link capacities are given in bits.
  'Mbit/s': { id: 'bps', factor: 1e6, times: 8 },
  'kbit/s': { id: 'bps', factor: 1e3, times: 8 },
  GiB: { id: 'bytes', factor: 2 ** 30 },
  MiB: { id: 'bytes', factor: 2 ** 20 },
  fps: { id: 'suffix: fps', factor: 1 },
  dB: { id: 'dB', factor: 1 },
};

function grafanaUnit(unit: PanelSpec['unit']): GrafanaUnit {
  return units[unit] ?? { id: 'short', factor: 1 };
}
