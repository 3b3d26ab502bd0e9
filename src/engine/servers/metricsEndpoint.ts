import { FullhouseError } from '../../contract/calls';
import type { HttpLink } from '../links/http/httpLink';
import { parseMetrics, type Metrics } from '../telemetry/metrics/exposition';
import { errorText } from '../../domain/text/errorText';

/** An endpoint that never responded is not tried again for this time: each try may take the full timeout. */
const defaultRetryMs = 30_000;
const timeoutMs = 2000;

/** A server's own Prometheus endpoint, beside its API. Its failure must not affect the API's figures. */
export interface MetricsEndpoint {
  /** Its metrics now, or undefined when it returns none. `anyway` tries although it just failed to respond. */
  read(anyway: boolean): Promise<Metrics | undefined>;
  /** Why the last read failed, without the node's name and the full stop. */
  trouble(): string | undefined;
}

/** `check` may throw when the metrics belong to another program. */
export function metricsEndpoint({
  who,
  http,
  url,
  now,
  isWanted,
  check,
  restMs = defaultRetryMs,
}: {
  readonly who: string;
  readonly http: HttpLink;
  readonly url: string;
  readonly now: () => number;
  readonly isWanted: (name: string) => boolean;
  readonly check?: (metrics: Metrics) => void;
  readonly restMs?: number;
}): MetricsEndpoint {
  let hasAnswered = false;
  let triedMs: number | undefined;
  let trouble: string | undefined;
  return {
    read: async (anyway) => {
      const rests = !hasAnswered && triedMs !== undefined && now() - triedMs < restMs;
      if (rests && !anyway) return undefined;
      triedMs = now();
      try {
        const text = await http.text({ url, timeoutMs });
        if (text.trim() === '')
          throw new FullhouseError('not-metrics', `${url} returned an empty response instead of Prometheus metrics.`);
        const metrics = parseMetrics(text, isWanted, url);
        check?.(metrics);
        hasAnswered = true;
        trouble = undefined;
        return metrics;
      } catch (error) {
        const sentence = errorText(error);
        trouble = (sentence.startsWith(`${who}: `) ? sentence.slice(who.length + 2) : sentence).replace(/\.$/, '');
        return undefined;
      }
    },
    trouble: () => trouble,
  };
}
