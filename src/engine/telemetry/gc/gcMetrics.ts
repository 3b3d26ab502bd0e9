import { metricValue, type Metrics } from '../metrics/exposition';

/** A GC pause derived from a program's Prometheus metrics. */
export interface GcMetricsPause {
  /** The longest pause since the previous metrics; absent when no collection ended. */
  readonly pauseMs?: number;
  /** Whether this is the pause itself, or only its upper bound. */
  readonly isExact: boolean;
  /** e.g. `Go metrics`. */
  readonly source: string;
  /** One sentence: what is measured. */
  readonly definition: string;
}

const go = 'go_gc_duration_seconds';
const node = 'nodejs_gc_duration_seconds';

/** Metrics that `gcPauseFromMetrics` needs. */
export const gcMetricNames: ReadonlySet<string> = new Set([
  go,
  `${go}_sum`,
  `${go}_count`,
  `${node}_bucket`,
  `${node}_sum`,
  `${node}_count`,
]);

const goDefinition =
  'Longest stop-the-world time of one collection (its two stops together) since the last response, from go_gc_duration_seconds: exact when one collection ended or its maximum rose, else an upper bound.';
const nodeDefinition =
  'Longest collection since the last response, from nodejs_gc_duration_seconds: exact when one collection of a kind ended, else the upper bound of the highest increased bucket.';

/**
 * The longest GC pause between two responses of a Go or Node.js program's Prometheus metrics; undefined when it has
 * none of these. Without a previous response, or after a restart of the program, there is no pause to report.
 */
export function gcPauseFromMetrics(now: Metrics, before: Metrics | undefined): GcMetricsPause | undefined {
  if (now.has(`${go}_count`)) return goPause(now, before);
  if (now.has(`${node}_count`)) return nodePause(now, before);
  return undefined;
}

function goPause(now: Metrics, before: Metrics | undefined): GcMetricsPause {
  const result = { source: 'Go metrics', definition: goDefinition };
  const collections = grownBy(now, before, `${go}_count`);
  if (!collections) return { ...result, isExact: true };
  const spentMs = (grownBy(now, before, `${go}_sum`) ?? NaN) * 1000;
  if (collections === 1 && spentMs >= 0) return { ...result, isExact: true, pauseMs: spentMs };
  // The maximum of the latest 256 pauses: when it rose, that pause is among the new ones.
  const greatest = { quantile: '1' };
  const maximumMs = (metricValue(now, go, greatest) ?? NaN) * 1000;
  const maximumBeforeMs = before ? (metricValue(before, go, greatest) ?? NaN) * 1000 : NaN;
  if (maximumMs > maximumBeforeMs) return { ...result, isExact: true, pauseMs: maximumMs };
  const bounds = [maximumMs, spentMs].filter(Number.isFinite);
  return bounds.length > 0 ? { ...result, isExact: false, pauseMs: Math.min(...bounds) } : { ...result, isExact: true };
}

function nodePause(now: Metrics, before: Metrics | undefined): GcMetricsPause {
  const result = { source: 'Node.js metrics', definition: nodeDefinition };
  let pauseMs: number | undefined;
  let isExact = true;
  for (const { labels } of now.get(`${node}_count`) ?? []) {
    const kind = kindOf(labels);
    const collections = grownBy(now, before, `${node}_count`, kind);
    if (!collections) continue;
    const spentMs = (grownBy(now, before, `${node}_sum`, kind) ?? NaN) * 1000;
    const boundMs = highestGrownMs(now, before, kind);
    const longestMs = collections === 1 && spentMs >= 0 ? spentMs : Math.min(boundMs, nanIsInfinite(spentMs));
    if (!Number.isFinite(longestMs) || longestMs < (pauseMs ?? 0)) continue;
    pauseMs = longestMs;
    isExact = collections === 1;
  }
  return { ...result, isExact, ...(pauseMs !== undefined && { pauseMs }) };
}

function kindOf(labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return labels.kind === undefined ? {} : { kind: labels.kind };
}

function nanIsInfinite(value: number): number {
  return Number.isNaN(value) ? Infinity : value;
}

/** Upper bound in ms of the highest bucket with a new entry. Buckets are cumulative, so each less the one below. */
function highestGrownMs(now: Metrics, before: Metrics | undefined, kind: Readonly<Record<string, string>>): number {
  const buckets = (now.get(`${node}_bucket`) ?? [])
    .filter(({ labels }) => labels.kind === kind.kind)
    .map(({ labels }) => ({
      seconds: labels.le === '+Inf' ? Infinity : Number(labels.le),
      grown: grownBy(now, before, `${node}_bucket`, { ...kind, le: labels.le ?? '' }) ?? 0,
    }))
    .sort((a, b) => a.seconds - b.seconds);
  let highest = Infinity;
  buckets.forEach(({ seconds, grown }, index) => {
    if (grown > (buckets[index - 1]?.grown ?? 0)) highest = seconds;
  });
  return highest * 1000;
}

/** Undefined without a previous response, and after a counter reset. A new label counts from 0. */
function grownBy(
  now: Metrics,
  before: Metrics | undefined,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const later = metricValue(now, name, labels);
  if (!before || later === undefined) return undefined;
  const grown = later - (metricValue(before, name, labels) ?? 0);
  return grown >= 0 ? grown : undefined;
}
