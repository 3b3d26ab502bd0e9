import { performance } from 'node:perf_hooks';
import { FullhouseError } from '../../../contract/calls';
import type { HttpLink } from '../../links/http/httpLink';
import { metricsEndpoint } from '../metricsEndpoint';
import { isWantedMetric, metricsReader, type MetricsFigures } from './metrics';

export interface MetricsSource {
  /** The figures now, or undefined when the endpoint tells none. `anyway` asks although it was silent a moment ago. */
  read(anyway: boolean): Promise<MetricsFigures | undefined>;
  /** Why the last reading came to nothing, without the node's name and the full stop. */
  trouble(): string | undefined;
}

/** LiveKit's Prometheus endpoint, which is off in its default configuration: silence is no fault. */
export function metricsSource(access: {
  readonly who: string;
  readonly http: HttpLink;
  readonly url: string;
  readonly now: () => number;
}): MetricsSource {
  const { who, url } = access;
  const reader = metricsReader();
  const endpoint = metricsEndpoint({
    ...access,
    isWanted: isWantedMetric,
    check: (metrics) => {
      if (![...metrics.keys()].some((name) => name.startsWith('livekit_')))
        throw new FullhouseError('not-livekit', `${who}: the metrics at ${url} are not LiveKit's.`);
    },
  });
  return {
    read: async (anyway) => {
      const metrics = await endpoint.read(anyway);
      // Rates must not depend on a wall clock that is set meanwhile.
      return metrics && reader.read(metrics, performance.now());
    },
    trouble: () => endpoint.trouble(),
  };
}
