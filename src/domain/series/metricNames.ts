import { oldSeries } from './renamed';
import { seriesDefinition, seriesDefinitions, sourceOfSeries, type SeriesId } from './series';

/** Name and unit of a series in Prometheus: base units, i.e. seconds, bytes and ratios. */
export interface Metric {
  readonly name: string;
  /** Exposed value = sample × factor. */
  readonly factor: number;
  readonly type: 'gauge' | 'counter';
  /** Of a series of a core, an interface or a server-specific figure: its label. */
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

const labels: Readonly<Record<string, string>> = {
  cpuCorePercent: 'core',
  networkInMbps: 'interface',
  networkOutMbps: 'interface',
  server: 'figure',
  viewersOfLayer: 'layer',
};

/** The metric of a series; undefined for what is no series, and for a figure from a second source. */
export function metricOf(series: string): Metric | undefined {
  return metricCalled(series, series);
}

/** Names under which older versions exposed a series. */
export function oldMetricNames(series: string): readonly string[] {
  return oldSeries.flatMap(([old, now]) => (now === series ? (metricCalled(old, now)?.name ?? []) : []));
}

/** The metric of a series by one of its names. */
function metricCalled(name: string, series: string): Metric | undefined {
  const definition = seriesDefinition(series);
  // Of two sources of one figure only the one that has the series is exposed: sums would count both.
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
  return {
    name: `fullhouse_${words}${isCounter && !words.endsWith('_total') ? '_total' : ''}`,
    factor: unit?.factor ?? 1,
    type: isCounter ? 'counter' : 'gauge',
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

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
