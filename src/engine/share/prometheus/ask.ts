import { FullhouseError } from '../../../contract/calls';
import { openHttpLink } from '../../links/http/openHttpLink';
import { PrometheusApi } from '../../telemetry/metrics/prometheusApi';

export interface PrometheusAccess {
  /** Without a user. */
  readonly prometheus: string;
  readonly user?: string;
  readonly password?: string;
  readonly selfSigned?: boolean;
  /** For one question; by default a minute. */
  readonly timeoutMs?: number;
}

/** A long range takes a Prometheus its time; its own limit is two minutes. */
const usualTimeoutMs = 60_000;
const mostBytes = 64_000_000;

/** A Prometheus to be asked until `close`. */
export interface OpenPrometheus {
  readonly api: PrometheusApi;
  close(): void;
}

/** For people: the address without scheme and path. */
export function placeOf(prometheus: string): string {
  return withScheme(prometheus).host;
}

/** The name that its password is kept under; no node can have it. */
export function secretName(prometheus: string): string {
  return `prometheus@${placeOf(prometheus)}`;
}

/** Opens the way to a Prometheus; nothing is sent yet. Every question ends with `signal`. */
export function openPrometheus(
  { prometheus, user, password, selfSigned, timeoutMs = usualTimeoutMs }: PrometheusAccess,
  signal?: AbortSignal,
): OpenPrometheus {
  const who = 'import';
  const base = withScheme(prometheus);
  const http = openHttpLink({
    ...{ who, base: base.href, acceptSelfSigned: selfSigned },
    basic: user === undefined ? undefined : { user, password: password ?? '' },
  });
  const api = new PrometheusApi(
    {
      request: async (request) => {
        const answer = await http.request({ timeoutMs, mostBytes, signal, ...request });
        if (answer.status === 401 || answer.status === 403)
          throw new FullhouseError(
            'no-access',
            user === undefined
              ? `${who}: the Prometheus at ${base.host} wants a user and a password.`
              : `${who}: the Prometheus at ${base.host} does not let "${user}" in; check the user and the password.`,
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
    // Said below, as for an address of another kind.
  }
  throw new FullhouseError(
    'bad-address',
    'import: this is no address of a Prometheus; write it like http://HOST:9090.',
  );
}
