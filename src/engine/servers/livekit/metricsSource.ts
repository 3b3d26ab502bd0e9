import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../base/clock';
import type { HttpLink } from '../../links/http/httpLink';
import { metricsEndpoint } from '../metricsEndpoint';
import { isWantedMetric, metricsReader, type MetricsFigures } from './metrics';

export interface MetricsSource {
  /**
   * The figures now, or undefined when the endpoint returns none. `anyway` tries although it just failed to respond.
   */
  read(anyway: boolean): Promise<MetricsFigures | undefined>;
  /** Why the last read failed, without the node's name and the full stop. */
  trouble(): string | undefined;
}

/** LiveKit's Prometheus endpoint. It is off in the default configuration, so no response is not a fault. */
export function metricsSource(access: {
  readonly who: string;
  readonly http: HttpLink;
  readonly url: string;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}): MetricsSource {
  const { who, http, url, clock } = access;
  const reader = metricsReader();
  const endpoint = metricsEndpoint({
    ...{ who, http, url, now: clock.now },
    isWanted: isWantedMetric,
    check: (metrics) => {
      if (![...metrics.keys()].some((name) => name.startsWith('livekit_')))
        throw new FullhouseError('not-livekit', `${who}: the metrics at ${url} are not LiveKit's.`);
    },
  });
  return {
    read: async (anyway) => {
      const metrics = await endpoint.read(anyway);
      // Rates must not depend on the wall clock, which may be adjusted.
      return metrics && reader.read(metrics, clock.monotonic());
    },
    trouble: () => endpoint.trouble(),
  };
}
