import type { SeriesId } from '../../../domain/series/series';
import { processMetricNames, processMetricsReader } from '../../telemetry/processMetrics';
import type { ServerAccess } from '../adapter';
import { metricsEndpoint } from '../metricsEndpoint';

/** A configured address is retried soon. */
const restMs = 10_000;

const expected = 'process_cpu_seconds_total, process_resident_memory_bytes, go_gc_duration_seconds';

export interface OwnMetrics {
  /** What the server's process reports now; nothing while its endpoint returns nothing. */
  read(): Promise<Partial<Record<SeriesId, number>>>;
  /** One sentence while its endpoint returns nothing. */
  problem(): string | undefined;
  /** Waits for the first read, which it starts if no poll has. */
  readFirst(): Promise<void>;
  readonly measures: readonly string[];
}

/** A server's own metrics endpoint: its process and the garbage collector of its Go or Node.js. */
export function ownMetrics({ who, http, clock }: Omit<ServerAccess, 'settings'>, url: string): OwnMetrics {
  const reader = processMetricsReader();
  const endpoint = metricsEndpoint({
    ...{ who, http, url, restMs, now: clock.now },
    isWanted: (name) => processMetricNames.has(name),
  });
  let mismatch: string | undefined;
  let first: Promise<unknown> | undefined;
  const read = async (): Promise<Partial<Record<SeriesId, number>>> => {
    const metrics = await endpoint.read(false);
    if (!metrics) return {};
    // Rates must not depend on the wall clock, which may be adjusted.
    const values = reader.read(metrics, clock.monotonic());
    mismatch =
      reader.measures.length > 0
        ? undefined
        : `the metrics at ${url} contain neither a process nor a Go or Node.js garbage collector; expected e.g. ${expected}; others need "prometheus" and "queries"`;
    return values;
  };
  return {
    read: () => {
      const current = read();
      first ??= current;
      return current;
    },
    readFirst: async () => {
      await (first ??= read());
    },
    problem: () => {
      const trouble = endpoint.trouble() ?? mismatch;
      return trouble === undefined ? undefined : `${who}: no process figures and no GC pauses: ${trouble}.`;
    },
    get measures() {
      return reader.measures;
    },
  };
}
