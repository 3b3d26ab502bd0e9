import { Histogram } from '../../../domain/distribution/histogram';
import { allAudiences } from '../../../domain/plan/audiences';
import { arrivalDistributions, distributionIds, distributions } from '../../../domain/series/distributions';
import { histogramMetricOf, metricOf, type MetricName } from '../../../domain/series/metricNames';
import type { NodeView } from '../../../domain/model/node';
import type { JobView, RunView } from '../../../domain/model/run';
import { seriesDefinition, type SeriesId, type Unit } from '../../../domain/series/series';
import { visibleLine } from '../../../domain/text/visibleText';
import type { MetricFamily, MetricLabels, NumberFamily } from './metricFamily';
import type { RunHistogram } from './runHistograms';

/** The engine's state at one time. */
export interface LiveNow {
  readonly version: string;
  readonly nodes: readonly NodeView[];
  readonly jobs: readonly JobView[];
  /** The active run, or the last one. */
  readonly run: RunView | null;
  /** Current values by node: its name in the active run, or its id. */
  readonly values: ReadonlyMap<string, ReadonlyMap<SeriesId, number>>;
  /** Distributions of a run. */
  readonly histograms: (run: string) => readonly RunHistogram[];
}

/**
 * The latest figures of the active run and of all other watched nodes, as metrics. `ended` includes a run that has ended,
 * with its last figures.
 */
export function liveMetrics(now: LiveNow, { ended = false } = {}): MetricFamily[] {
  const run = now.run && (ended || now.run.state !== 'ended') ? now.run : undefined;
  const families = new Families();
  families.add('fullhouse_build_info', 'Version of Fullhouse.', { version: now.version }, 1);
  if (run) {
    const labels = { run: run.id };
    families.add('fullhouse_run_info', 'The active run.', { ...labels, name: run.name, state: run.state }, 1);
    families.add(
      'fullhouse_run_start_timestamp_seconds',
      'Start of the active run, Unix time.',
      labels,
      run.startedMs / 1000,
    );
  }
  const inRun = new Set(run?.nodes.map(({ id }) => id));
  for (const node of [...(run?.nodes ?? []), ...now.nodes.filter(({ id }) => !inRun.has(id))]) {
    const values = now.values.get(node.id);
    const of = { node: node.id, role: node.role, run: run && inRun.has(node.id) ? run.id : '' };
    // A node of the fleet that has another name in the run is exposed under that one.
    if (!values && (run || node.state === 'idle')) continue;
    families.add('fullhouse_node_up', 'Whether the node reports any figures now.', of, values ? 1 : 0);
    for (const [series, value] of values ?? []) families.addSeries(series, of, value);
    if (values) streamFamilies(families, node, of);
  }
  for (const job of now.jobs)
    if (job.kind === 'pull') {
      const of = { node: job.node, stream: job.stream, job: job.id, run: run?.id ?? '' };
      families.add('fullhouse_pull_viewers', 'Viewers of this pull that receive media.', of, job.connected);
      families.add('fullhouse_pull_viewers_asked', 'Target viewers of this pull.', of, job.requested);
    }
  const histograms = run ? histogramFamilies(run, now.histograms(run.id)) : [];
  return [...families.all(), ...histograms].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Names of nodes, runs and streams are texts of others; dashboards and consoles print them. */
const visibleLabels = (labels: MetricLabels): MetricLabels =>
  Object.fromEntries(Object.entries(labels).map(([label, text]) => [label, visibleLine(text)]));

/** Per tester and audience, whose histograms add up to those of all. */
function histogramFamilies(run: RunView, measured: readonly RunHistogram[]): MetricFamily[] {
  // Viewers report these once, many of them before the first scrape: it must find a 0 to which the rest is an increase.
  const expected = allAudiences(run.plan).flatMap(({ name: audience, pull }) =>
    pull.by.flatMap((node) => arrivalDistributions.map((distribution) => ({ node, audience, distribution }))),
  );
  const isMeasured = new Set(measured.map(keyOf));
  const all = [
    ...measured,
    ...expected
      .filter((series) => !isMeasured.has(keyOf(series)))
      .map((series) => ({ ...series, histogram: new Histogram() })),
  ];
  // Browser viewers and the control player report under the origin that they play from.
  const roleOf = (node: string): string =>
    run.nodes.find(({ id, name }) => id === node || name === node)?.role ?? 'tester';
  return distributionIds.map((id) => {
    const { title, meaning, unit } = distributions[id];
    return {
      ...histogramMetricOf(id),
      ...{ type: 'histogram', unit, help: `${title}. ${meaning}${inBaseUnit[unit] ?? ''}` },
      values: all
        .filter(({ distribution }) => distribution === id)
        .map(({ node, audience, histogram }) => ({
          labels: visibleLabels({ node, role: roleOf(node), audience, run: run.id }),
          histogram,
        })),
    };
  });
}

const keyOf = ({ distribution, node, audience }: Omit<RunHistogram, 'histogram'>): string =>
  JSON.stringify([distribution, node, audience]);

function streamFamilies(families: Families, node: NodeView, of: Readonly<Record<string, string>>): void {
  for (const { stream, viewers, degraded, fps, bitrateKbps, packetsPerSecond } of node.streams) {
    const add = (name: string, help: string, value: number | undefined, unit = ''): void => {
      if (value !== undefined) families.add(`fullhouse_stream_${name}`, help, { ...of, stream }, value, unit);
    };
    add('viewers', 'Viewers of the stream, reported by the origin.', viewers);
    add('degraded', 'Viewers that do not receive the stream in time, reported by the origin.', degraded);
    add('frame_rate', 'Ingest frame rate of the stream, frames per second.', fps, '{frame}/s');
    const bytesPerSecond = bitrateKbps === undefined ? undefined : bitrateKbps * 125;
    add('bytes_per_second', 'Ingest bitrate of the stream.', bytesPerSecond, 'By/s');
    add('packets_per_second', 'Ingest packet rate of the stream.', packetsPerSecond, '{packet}/s');
  }
}

const inBaseUnit: Readonly<Partial<Record<Unit, string>>> = {
  '%': ' As a ratio: 1 is 100 %.',
  ms: ' In seconds.',
  'Mbit/s': ' In bytes per second.',
  'kbit/s': ' In bytes per second.',
};

/** Values by metric: all of one metric must be adjacent. */
class Families {
  private readonly byName = new Map<
    string,
    NumberFamily & { readonly values: Array<NumberFamily['values'][number]> }
  >();

  /** A figure that is not a series: it is exposed as it is. */
  add(name: string, help: string, labels: MetricLabels, value: number, unit = ''): void {
    const otlp = { name: name.replace('fullhouse_', 'fullhouse.'), unit };
    this.put({ name, factor: 1, otlp }, 'gauge', help, labels, value);
  }

  addSeries(series: SeriesId, labels: MetricLabels, value: number): void {
    const metric = metricOf(series);
    const definition = seriesDefinition(series);
    if (!metric || !definition) return;
    const { title, meaning, unit } = definition;
    const part = metric.label ? { [metric.label.name]: metric.label.value } : {};
    const help = metric.label ? `${meaning}${inBaseUnit[unit] ?? ''}` : `${title}. ${meaning}${inBaseUnit[unit] ?? ''}`;
    this.put(metric, metric.type, help, { ...labels, ...part }, value);
  }

  all(): MetricFamily[] {
    return [...this.byName.values()];
  }

  private put(
    { name, factor, otlp }: MetricName,
    type: NumberFamily['type'],
    help: string,
    labels: MetricLabels,
    value: number,
  ): void {
    const family = this.byName.get(name) ?? { name, factor, otlp, type, help, values: [] };
    this.byName.set(name, family);
    family.values.push({ labels: visibleLabels(labels), value });
  }
}
