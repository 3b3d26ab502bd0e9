import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../base/clock';
import { requireRealAddress } from '../../base/realAddress';
import { openHttpLink } from '../../links/http/openHttpLink';
import { PrometheusApi } from '../../telemetry/metrics/prometheusApi';

export interface PrometheusAccess {
  /** Without a user. */
  readonly prometheus: string;
  readonly user?: string;
  readonly password?: string;
  readonly selfSigned?: boolean;
  /** Timeout of one query; default: one minute. */
  readonly timeoutMs?: number;
}

/** A long range takes a Prometheus a while; its own limit is two minutes. */
const usualTimeoutMs = 60_000;
const maxBytes = 64_000_000;

/** Access to a Prometheus until `close`. */
export interface OpenPrometheus {
  readonly api: PrometheusApi;
  close(): void;
}

/** For display: the address without scheme and path. */
export function placeOf(prometheus: string): string {
  return withScheme(prometheus).host;
}

/** The name under which its password is stored; no node can have it. */
export function secretName(prometheus: string): string {
  return `prometheus@${placeOf(prometheus)}`;
}

/** Opens the link to a Prometheus; nothing is sent yet. `signal` aborts all queries. */
export function openPrometheus(
  {
    prometheus,
    user,
    password,
    selfSigned,
    timeoutMs = usualTimeoutMs,
    clock,
  }: PrometheusAccess & { readonly clock: Clock },
  signal?: AbortSignal,
): OpenPrometheus {
  const who = 'import';
  const base = withScheme(prometheus);
  requireRealAddress('the Prometheus', base.href);
  const http = openHttpLink({
    ...{ who, base: base.href, acceptSelfSigned: selfSigned, clock },
    basic: user === undefined ? undefined : { user, password: password ?? '' },
  });
  const api = new PrometheusApi(
    {
      request: async (request) => {
        const answer = await http.request({ timeoutMs, maxBytes, signal, ...request });
        if (answer.status === 401 || answer.status === 403)
          throw new FullhouseError(
            'no-access',
            user === undefined
              ? `${who}: the Prometheus at ${base.host} requires a user and a password.`
              : `${who}: the Prometheus at ${base.host} refused the login of "${user}"; check the user and the password.`,
          );
        return answer;
      },
    },
    who,
    base.href.replace(/\/+$/, ''),
  );
  return { api, close: () => http.close() };
}

function withScheme(prometheus: string): URL {
  try {
    const url = new URL(/^[a-z]+:\/\//i.test(prometheus) ? prometheus : `http://${prometheus}`);
    if (/^https?:$/.test(url.protocol)) return url;
  } catch {
    // Reported below, as for an address of another kind.
  }
  throw new FullhouseError(
    'bad-address',
    'import: this is not an address of a Prometheus; write it like http://HOST:9090.',
  );
}
