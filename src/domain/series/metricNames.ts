import { distributions, percentileSeriesOf, type DistributionId } from './distributions';
import { oldSeries } from './renamed';
import { seriesDefinition, seriesDefinitions, sourceOfSeries, type SeriesId, type Unit } from './series';

/** Name and unit of a figure in Prometheus, in base units, i.e. seconds, bytes and ratios; and in OpenTelemetry. */
export interface MetricName {
  readonly name: string;
  /** Exposed value = value in the figure's unit × factor. */
  readonly factor: number;
  /** In OpenTelemetry values have the figure's own unit: in another one the bounds of histograms would not be exact. */
  readonly otlp: OtlpName;
}

export interface OtlpName {
  readonly name: string;
  /** By UCUM; empty for plain numbers. */
  readonly unit: string;
}

/** The metric of a series. */
export interface Metric extends MetricName {
  readonly type: 'gauge' | 'counter';
  /** The label of a series of a core, an interface or a server-specific figure. */
  readonly label?: { readonly name: string; readonly value: string };
}

/** Series that only increase while their source runs. */
const counters: ReadonlySet<string> = new Set([
  'viewersFailed',
  'stallsTotal',
  'freezeCountTotal',
  'freezeDurationTotalMs',
  'viewersFailedOnTester',
  'playerFreezes',
  'playerFramesDropped',
  'playerPacketsLost',
  'browserFreezes',
  'playerFreezeCount',
  'playerFreezeDurationMs',
  'playerPauseCount',
  'browserFreezeCount',
  'browserFreezeDurationMs',
  'browserPauseCount',
]);

const units: Readonly<Record<string, { readonly ending: RegExp; readonly name: string; readonly factor: number }>> = {
  '%': { ending: /Percent$/, name: 'Ratio', factor: 0.01 },
  ms: { ending: /Ms$/, name: 'Seconds', factor: 0.001 },
  'Mbit/s': { ending: /Mbps$/, name: 'BytesPerSecond', factor: 125_000 },
  'kbit/s': { ending: /Kbps$/, name: 'BytesPerSecond', factor: 125 },
};

/** Units by UCUM, the Unified Code for Units of Measure. */
const ucum: Readonly<Record<Unit, string>> = {
  ...{ '': '', '%': '%', ms: 'ms', s: 's', '/s': '/s', fps: '{frame}/s', dB: 'dB', bytes: 'By' },
  ...{ 'Mbit/s': 'Mbit/s', 'kbit/s': 'kbit/s' },
  ...{ 'packets/s': '{packet}/s', frames: '{frame}', packets: '{packet}' },
};

const labels: Readonly<Record<string, string>> = {
  cpuCorePercent: 'core',
  networkInMbps: 'interface',
  networkOutMbps: 'interface',
  server: 'figure',
  viewersOfLayer: 'layer',
};

/**
 * The metric of a series; undefined for what is no series, for a figure from a second source, and for percentiles, which
 * are exposed as the histogram of their distribution.
 */
export function metricOf(series: string): Metric | undefined {
  return percentileSeriesOf(series) ? undefined : metricCalled(series, series);
}

/** The histogram of a distribution. */
export function histogramMetricOf(distribution: DistributionId): MetricName {
  const { name, ending, unit } = distributions[distribution];
  const base = units[unit];
  const words = snake(name).replace(/^viewer_/, '');
  return {
    name: `fullhouse_viewer_${words}${base && ending !== '' ? `_${snake(lowered(base.name))}` : ''}`,
    factor: base?.factor ?? 1,
    otlp: { name: `fullhouse.viewer.${words}`, unit: ucum[unit] },
  };
}

/** Names under which older versions exposed a series, as a gauge or counter with today's unit. */
export function oldMetricNames(series: string): readonly string[] {
  const names = oldSeries.flatMap(([old, now]) => (now === series ? (metricCalled(old, now)?.name ?? []) : []));
  const gauge = percentileSeriesOf(series) ? metricCalled(series, series) : undefined;
  return gauge ? [gauge.name, ...names] : names;
}

/** The metric of a series by one of its names. */
function metricCalled(name: string, series: string): Metric | undefined {
  const definition = seriesDefinition(series);
  // With two sources of one figure only the one that has the series is exposed: sums would count both.
  if (!definition || sourceOfSeries(series)) return undefined;
  const [base = '', value] = name.split(/:(.*)/, 2);
  const unit = units[definition.unit];
  const isCounter = counters.has(series.split(':', 1)[0] ?? '');
  // The ending `_total` comes after the unit.
  const own = isCounter ? base.replace(/Total(?=[A-Z]|$)/, '') : base;
  const plain = unit ? own.replace(unit.ending, unit.name) : own;
  // An interface's traffic must not be added to the host's, which is its sum.
  const part = value !== undefined && base !== 'server' ? plain.replace(/^network/, 'interface') : plain;
  const words = snake(part);
  const otlpWords = snake(unit ? part.replace(new RegExp(`${unit.name}$`), '') : part).replace(/_total$/, '');
  return {
    name: `fullhouse_${words}${isCounter && !words.endsWith('_total') ? '_total' : ''}`,
    factor: unit?.factor ?? 1,
    type: isCounter ? 'counter' : 'gauge',
    otlp: { name: `fullhouse.${otlpWords}`, unit: ucum[definition.unit] },
    ...(value === undefined ? {} : { label: { name: labels[base] ?? 'part', value } }),
  };
}

/**
 * Every metric of a series, with its series; of those with a label, the label's name in braces is the placeholder for
 * its value.
 */
export function knownMetrics(): ReadonlyArray<{ readonly series: string; readonly metric: Metric }> {
  const examples: readonly SeriesId[] = ['cpuCorePercent:0', 'networkInMbps:x', 'networkOutMbps:x', 'server:x'];
  return [...(Object.keys(seriesDefinitions) as SeriesId[]), ...examples].flatMap((series) => {
    const metric = metricOf(series);
    if (!metric) return [];
    const [base] = series.split(':');
    return [{ series: metric.label ? `${base}:{${metric.label.name}}` : series, metric }];
  });
}

const lowered = (name: string): string => name.replace(/^./, (letter) => letter.toLowerCase());

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
