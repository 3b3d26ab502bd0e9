import { performance } from 'node:perf_hooks';
import { FullhouseError } from '../../../contract/calls';
import type { HttpLink } from '../../links/http/httpLink';
import { parseMetrics } from '../../telemetry/metrics/exposition';
import { isWantedMetric, metricsReader, type MetricsFigures } from './metrics';

/** An endpoint that never answered is not asked again for this time: each try may take its whole timeout. */
const restMs = 30_000;
const timeoutMs = 2000;

export interface MetricsSource {
  /** The figures now, or undefined when the endpoint tells none. `anyway` asks although it was silent a moment ago. */
  read(anyway: boolean): Promise<MetricsFigures | undefined>;
  /** Why the last reading came to nothing, without the node's name and the full stop. */
  trouble(): string | undefined;
}

/** LiveKit's Prometheus endpoint, which is off in its default configuration: silence is no fault. */
export function metricsSource({
  who,
  http,
  url,
  now,
}: {
  readonly who: string;
  readonly http: HttpLink;
  readonly url: string;
  readonly now: () => number;
}): MetricsSource {
  const reader = metricsReader();
  let hasAnswered = false;
  let triedMs: number | undefined;
  let trouble: string | undefined;
  return {
    read: async (anyway) => {
      const rests = !hasAnswered && triedMs !== undefined && now() - triedMs < restMs;
      if (rests && !anyway) return undefined;
      triedMs = now();
      try {
        const metrics = parseMetrics(await http.text({ url, timeoutMs }), isWantedMetric, url);
        if (![...metrics.keys()].some((name) => name.startsWith('livekit_')))
          throw new FullhouseError('not-livekit', `${who}: the metrics at ${url} are not LiveKit's.`);
        hasAnswered = true;
        trouble = undefined;
        // Rates must not depend on a wall clock that is set meanwhile.
        return reader.read(metrics, performance.now());
      } catch (error) {
        const sentence = error instanceof Error ? error.message : String(error);
        trouble = (sentence.startsWith(`${who}: `) ? sentence.slice(who.length + 2) : sentence).replace(
          /\.$/,
          '',
        );
        return undefined;
      }
    },
    trouble: () => trouble,
  };
}
