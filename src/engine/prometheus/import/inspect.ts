import { exporterFamilies, type ExporterFamily, type ImportedTarget } from '../../../domain/model/imported';
import type { FoundTarget, PrometheusFound } from '../../../domain/plan/importPlan';
import type { PrometheusApi, PrometheusSeries } from '../../telemetry/metrics/prometheusApi';
import { differentHosts, differingLabels, hostNames, matchOf } from '../../telemetry/metrics/hostInstance';
import { families, neededMetrics, queriesOf } from './families';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How far back data is searched if the Prometheus does not report its retention: that is its default. */
const defaultRetentionMs = 15 * dayMs;
const maxRetentionMs = 400 * dayMs;
const slots = 200;
/** Each costs a query. */
const maxDescribed = 60;
const anyWindows = { rateMs: 60_000, latestMs: 60_000 };

/** What a Prometheus contains for a run. Rejects with one sentence, e.g. when it is not a Prometheus. */
export async function inspectPrometheus(api: PrometheusApi, nowMs: number): Promise<PrometheusFound> {
  const remoteClockMs = await api.time();
  const version = await api.version().catch(() => undefined);
  const scrapes = await api.scrapeIntervals().catch(() => new Map<string, number>());
  const spans = await presence(api, remoteClockMs);
  const described: Span[] = [];
  for (const span of spans.slice(0, maxDescribed)) described.push(...(await hostsOf(api, span)));
  const targets: FoundTarget[] = [];
  for (const span of described) {
    const counts = await seriesCounts(api, span.target, span.lastMs);
    targets.push({
      ...span,
      series: counts,
      scrapeMs: scrapes.get(span.target.labels['instance'] ?? ''),
    });
  }
  return {
    address: api.address,
    version,
    aheadMs: Math.round(remoteClockMs - nowMs),
    targets,
    further: Math.max(0, spans.length - maxDescribed),
  };
}

type Span = Pick<FoundTarget, 'target' | 'role' | 'firstMs' | 'lastMs'>;

/** Which instances were present, and from when to when, to a two-hundredth of the retention. */
async function presence(api: PrometheusApi, remoteClockMs: number): Promise<Span[]> {
  const keptMs = Math.min(maxRetentionMs, (await api.keptMs().catch(() => undefined)) ?? defaultRetentionMs);
  const found = await markersWithin(api, remoteClockMs - keptMs, remoteClockMs);
  // The coarse search has a resolution of days; where there is less data, a finer one has minutes.
  const firstMs = Math.min(...found.map(({ firstMs }) => firstMs));
  if (found.length === 0 || remoteClockMs - firstMs > keptMs / 4) return found;
  return markersWithin(api, firstMs - 60_000, remoteClockMs);
}

/** Hosts with one `instance` label, told apart by the labels in which they differ. */
async function hostsOf(api: PrometheusApi, span: Span): Promise<Span[]> {
  if (span.target.family !== 'node_exporter') return [span];
  const match = matchOf(span.target.labels);
  const values = await api.query(`{__name__=~"${hostNames.join('|')}",${match}}`, span.lastMs);
  const hosts = differentHosts(values).map(({ labels }) => labels);
  if (hosts.length < 2) return [span];
  const names = differingLabels(hosts);
  return hosts.map((host) => {
    const own = names.map((name): [string, string] => [name, host[name] ?? '']);
    return { ...span, target: { ...span.target, labels: { ...span.target.labels, ...Object.fromEntries(own) } } };
  });
}

async function markersWithin(api: PrometheusApi, fromMs: number, toMs: number): Promise<Span[]> {
  const stepMs = Math.max(1000, Math.ceil((toMs - fromMs) / slots / 1000) * 1000);
  const markers = exporterFamilies.flatMap((family) => families[family].markers);
  const labels = new Set(exporterFamilies.flatMap((family) => families[family].labels));
  const selector = `{__name__=~"${markers.join('|')}"}[${stepMs / 1000}s]`;
  const series = await api.queryRange(
    `count by (__name__,role,${[...labels].join(',')}) (last_over_time(${selector}))`,
    // The last timestamp queried is the end itself: what started a minute ago exists only then.
    toMs - Math.floor((toMs - fromMs) / stepMs) * stepMs,
    toMs,
    stepMs,
  );
  const spans = new Map<string, Span>();
  for (const each of series) {
    const span = spanOf(each, stepMs);
    if (!span) continue;
    const key = `${span.target.family} ${matchOf(span.target.labels)}`;
    const known = spans.get(key);
    spans.set(
      key,
      known
        ? {
            ...known,
            firstMs: Math.min(known.firstMs, span.firstMs),
            lastMs: Math.max(known.lastMs, span.lastMs),
          }
        : span,
    );
  }
  return [...spans.values()].sort(
    (a, b) => b.lastMs - a.lastMs || matchOf(a.target.labels).localeCompare(matchOf(b.target.labels)),
  );
}

function spanOf({ labels, points }: PrometheusSeries, stepMs: number): Span | undefined {
  const family = exporterFamilies.find((family) => families[family].markers.includes(labels['__name__'] ?? ''));
  const [first, last] = [points[0], points.at(-1)];
  if (!family || !first || !last) return undefined;
  return {
    target: { family, labels: labelsOf(family, labels) },
    role: labels['role'] === 'tester' && family === 'fullhouse' ? 'tester' : 'origin',
    // A point means that data existed within the step before it.
    firstMs: first.timeMs - stepMs,
    lastMs: last.timeMs,
  };
}

function labelsOf(family: ExporterFamily, all: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    families[family].labels.flatMap((label): Array<[string, string]> => {
      const value = all[label] ?? '';
      // A node outside of a run differs from the same one within by lacking this label, which is what an empty one
      // means.
      return value === '' && label !== 'run' ? [] : [[label, value]];
    }),
  );
}

/** How many series each of our series' names will give, as the target was last seen. */
async function seriesCounts(
  api: PrometheusApi,
  target: ImportedTarget,
  lastMs: number,
): Promise<Readonly<Record<string, number>>> {
  const queries = queriesOf(target, anyWindows);
  const names = new Set(queries.flatMap(([, query]) => neededMetrics(query).flat()));
  // A core's time is reported once per mode: one of them is enough to count the cores.
  const selector = `{__name__=~"${[...names].join('|')}",mode=~"idle|",${matchOf(target.labels)}}`;
  const series = await api.query(`count by (__name__) (last_over_time(${selector}[10m] @ ${lastMs / 1000}))`);
  const counts = new Map(series.map(({ labels, points }) => [labels['__name__'] ?? '', points[0]?.value ?? 0]));
  const made: Record<string, number> = {};
  for (const [id, query] of queries) {
    const alternative = neededMetrics(query).find((metrics) => metrics.every((name) => counts.has(name)));
    if (!alternative) continue;
    made[id] = (made[id] ?? 0) + (id.endsWith('}') ? (counts.get(alternative[0] ?? '') ?? 1) : 1);
  }
  return made;
}
