import { performance } from 'node:perf_hooks';
import type { SeriesId } from '../../../domain/series';
import { processMetricNames, processMetricsReader } from '../../telemetry/processMetrics';
import type { ServerAccess } from '../adapter';
import { metricsEndpoint } from '../metricsEndpoint';

/** An address that a person gave is tried again soon. */
const restMs = 10_000;

export interface OwnMetrics {
  /** What the server's process tells of itself now; nothing while its endpoint tells nothing. */
  read(): Promise<Partial<Record<SeriesId, number>>>;
  /** One sentence while its endpoint tells nothing. */
  problem(): string | undefined;
  /** Whether it was read at all so far. */
  readonly isAsked: boolean;
  readonly measures: readonly string[];
}

/** A server's own metrics endpoint: its process and the garbage collector of its Go or Node.js. */
export function ownMetrics({ who, http, now }: Omit<ServerAccess, 'settings'>, url: string): OwnMetrics {
  const reader = processMetricsReader();
  const endpoint = metricsEndpoint({
    ...{ who, http, url, now, restMs },
    isWanted: (name) => processMetricNames.has(name),
  });
  let told: string | undefined;
  let isAsked = false;
  return {
    get isAsked() {
      return isAsked;
    },
    read: async () => {
      isAsked = true;
      const metrics = await endpoint.read(false);
      if (!metrics) return {};
      // Rates must not depend on a wall clock that is set meanwhile.
      const values = reader.read(metrics, performance.now());
      told =
        reader.measures.length > 0
          ? undefined
          : `the metrics at ${url} name neither a process nor a Go or Node.js garbage collector`;
      return values;
    },
    problem: () => {
      const trouble = endpoint.trouble() ?? told;
      return trouble === undefined
        ? undefined
        : `${who}: neither its process nor its GC pauses are seen: ${trouble}.`;
    },
    get measures() {
      return reader.measures;
    },
  };
}
