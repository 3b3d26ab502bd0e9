import { FullhouseError } from '../../../contract/calls';
import type { NodeSecrets } from '../../../domain/model/nodeSettings';
import type { HttpLink, HttpRequest } from '../../links/http/httpLink';
import { haveCredentials } from '../../links/http/redirect';
import { bareHost, hostInAddress } from '../../servers/addressTemplate';
import type { TypedAddress } from './typedAddress';
import { parsedUrl } from '../../base/parsedUrl';

/** Which addresses belong to what the user typed: a page or an API may name those of any host. */
export interface TypedServer {
  readonly isOn: (address: URL) => boolean;
  /** On the typed host, and over TLS if the typed URL is. */
  readonly mayReceiveCredentials: (address: URL) => boolean;
}

export function typedServer({ host, url }: Pick<TypedAddress, 'host' | 'url'>): TypedServer {
  const typed = canonical(host);
  const isOn = ({ hostname }: URL): boolean => canonical(hostname) === typed;
  const needsTls = url !== undefined && isOverTls(url);
  return { isOn, mayReceiveCredentials: (address) => isOn(address) && (!needsTls || isOverTls(address)) };
}

const isOverTls = ({ protocol }: URL): boolean => protocol === 'https:' || protocol === 'wss:';

/** As in an address of HTTP: other schemes keep capital letters and short forms of IPv4. */
function canonical(host: string): string {
  try {
    return new URL(`http://${hostInAddress(bareHost(host))}`).hostname;
  } catch {
    return host;
  }
}

/**
 * A link that sends what families add to a request (tokens, keys, logins) to the typed server only: elsewhere headers
 * are left out, and a request with a secret in its query or body is refused.
 */
export function withoutSecretsElsewhere(
  http: HttpLink,
  { mayReceiveCredentials }: TypedServer,
  secrets: NodeSecrets,
): HttpLink {
  const values = Object.values(secrets).filter((secret): secret is string => Boolean(secret));
  const forms = values.flatMap((secret) => [JSON.stringify(secret).slice(1, -1), base64(secret)]);
  const limited = (request: HttpRequest): HttpRequest => {
    const url = addressOf(request);
    if (url === undefined || mayReceiveCredentials(url)) return request;
    const inQuery = [...url.searchParams.values()];
    if (values.some((secret) => inQuery.includes(secret)) || forms.some((form) => request.body?.includes(form)))
      throw new FullhouseError(
        'no-login',
        `The login is not sent to ${url.origin}; enter that address to use it there.`,
      );
    const headers = Object.entries(request.headers ?? {}).filter(([name]) => !haveCredentials({ [name]: '' }));
    return { ...request, headers: Object.fromEntries(headers) };
  };
  return {
    request: async (request) => http.request(limited(request)),
    json: async (request, schema) => http.json(limited(request), schema),
    text: async (request) => http.text(limited(request)),
    close: () => http.close(),
  };
}

/** Undefined for an invalid address, which the link refuses. */
const addressOf = ({ url }: HttpRequest): URL | undefined => parsedUrl(url);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
