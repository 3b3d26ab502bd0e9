import type { HttpLink } from '../../links/http/httpLink';
import { parseMetrics } from '../../telemetry/metrics/exposition';
import { isWantedMetric, metricsReader, type MetricsFigures } from './metrics';

/** An endpoint that is not there is not asked again for this time: each try may take its whole timeout. */
const restMs = 30_000;
const timeoutMs = 2000;

export interface MetricsSource {
  /** The figures now, or undefined when the endpoint tells none. `anyway` asks although it was silent a moment ago. */
  read(anyway: boolean): Promise<MetricsFigures | undefined>;
}

/** LiveKit's Prometheus endpoint, which is off in its default configuration: silence is no fault. */
export function metricsSource({
  http,
  url,
  now,
}: {
  readonly http: HttpLink;
  readonly url: string;
  readonly now: () => number;
}): MetricsSource {
  const reader = metricsReader();
  let silentSinceMs: number | undefined;
  return {
    read: async (anyway) => {
      if (!anyway && silentSinceMs !== undefined && now() - silentSinceMs < restMs) return undefined;
      try {
        const text = await http.text({ url, timeoutMs });
        const metrics = parseMetrics(text, isWantedMetric, url);
        if (![...metrics.keys()].some((name) => name.startsWith('livekit_')))
          throw new Error('not of LiveKit');
        silentSinceMs = undefined;
        return reader.read(metrics, now());
      } catch {
        silentSinceMs = now();
        return undefined;
      }
    },
  };
}
