import type { HostReading } from '../hostRates';
import type { MetricValue } from './exposition';
import { nodeReading } from './nodeMetrics';
import type { PrometheusSeries } from './prometheusApi';

/** Stored readings of a node_exporter in Prometheus, one per scrape: all values of a scrape have its time. */
export function readingsOf(series: readonly PrometheusSeries[], afterMs: number): HostReading[] {
  const scrapes = new Map<number, Map<string, MetricValue[]>>();
  for (const { labels, points } of series) {
    const { __name__: name } = labels;
    if (name === undefined) continue;
    for (const { timeMs, value } of points) {
      if (timeMs <= afterMs) continue;
      const scrape = scrapes.get(timeMs) ?? new Map<string, MetricValue[]>();
      scrapes.set(timeMs, scrape);
      const values = scrape.get(name) ?? [];
      scrape.set(name, values);
      values.push({ labels, value });
    }
  }
  return [...scrapes.entries()].sort(([a], [b]) => a - b).map(([timeMs, metrics]) => nodeReading(metrics, timeMs));
}
