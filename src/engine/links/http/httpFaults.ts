import { FullhouseError } from '../../../contract/calls';
import { byPlace, secretFix } from '../../base/secretPlace';

/** An address as shown to the user: query and credentials can contain secrets. */
export function shownAddress(url: URL): string {
  return `${url.origin}${url.pathname === '/' ? '' : url.pathname}`;
}

/** The switch in a node's settings that every certificate error names. */
const ownCertificate = (): string =>
  byPlace(
    'write "selfSigned: true" for the node if you trust it',
    'enable "accept this node\'s own certificate" if you trust it',
  );

const certificateFaults: Readonly<Record<string, (url: URL) => string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: () => `is self-signed; ${ownCertificate()}`,
  SELF_SIGNED_CERT_IN_CHAIN: () =>
    `is signed by a private certificate authority that this machine does not trust; ${ownCertificate()}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () =>
    `is signed by a certificate authority that this machine does not trust, or the server omits intermediate certificates; ${ownCertificate()}`,
  UNABLE_TO_GET_ISSUER_CERT: () =>
    `is signed by a certificate authority that this machine does not trust; ${ownCertificate()}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () =>
    `is signed by a certificate authority that this machine does not trust; ${ownCertificate()}`,
  CERT_HAS_EXPIRED: () => `has expired; renew it, or ${ownCertificate()}`,
  CERT_NOT_YET_VALID: () => `is not valid yet; compare the clocks of both machines, or ${ownCertificate()}`,
  CERT_REVOKED: () => 'has been revoked; renew it',
  ERR_TLS_CERT_ALTNAME_INVALID: (url) =>
    `is issued for another name than ${url.hostname}; use the name in the certificate, or ${ownCertificate()}`,
};

const unreachableCodes = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']);
const closedCodes = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

const noListener = 'nothing listens at';

/** Whether a node's problem is that its port refuses connections: the process of the server is gone. */
export function isRefusedConnection(problem = ''): boolean {
  return problem.toLowerCase().includes(noListener);
}

/** Why a request got no response, as one sentence. */
export function httpFault(who: string, url: URL, error: NodeJS.ErrnoException, begun: boolean): FullhouseError {
  if (error instanceof FullhouseError) return error;
  const code = error.code ?? '';
  const fault = (kind: string, sentence: string): FullhouseError =>
    new FullhouseError(kind, `${who}: ${sentence}.`, { cause: error });
  const certificate = certificateFaults[code];
  if (certificate) return fault('tls', `the certificate of ${url.origin} ${certificate(url)}`);
  if (/wrong.version.number|http request/i.test(error.message))
    return fault('tls', `${url.origin} does not support TLS; use http:// instead of https://`);
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)/.test(code))
    return fault('tls', `TLS negotiation with ${url.origin} failed (${reasonOf(error)})`);
  if (code === 'ECONNREFUSED')
    return fault('refused', `${noListener} ${url.origin}; check the port and that the server is running`);
  if (code === 'ENOTFOUND')
    return fault('no-such-host', `the host name "${url.hostname}" does not exist; check the address`);
  if (code === 'EAI_AGAIN')
    return fault(
      'no-such-host',
      `the host name "${url.hostname}" can't be resolved now; check this machine's network and DNS`,
    );
  if (unreachableCodes.has(code))
    return fault('unreachable', `${url.hostname} can't be reached from this machine; check the network or the VPN`);
  if (code === 'ETIMEDOUT') return fault('timeout', `${url.origin} does not respond; a firewall may drop the packets`);
  if (closedCodes.has(code))
    return fault(
      'closed',
      `${shownAddress(url)} closed the connection ${begun ? 'in the middle of its response' : 'without a response'}`,
    );
  if (code.startsWith('HPE_')) return fault('not-http', `the server at ${url.origin} does not speak HTTP`);
  return fault('unreachable', `${shownAddress(url)} can't be reached (${reasonOf(error)})`);
}

/** OpenSSL's messages contain source files and error numbers between colons; the last words are the reason. */
function reasonOf(error: Error): string {
  const words = error.message.split(':').filter((part) => /[a-z]{3}/i.test(part) && !/\.c$/.test(part));
  return (words[words.length - 1] ?? error.message).trim().slice(0, 120);
}

const statusHints: Readonly<Record<number, string>> = {
  401: 'user and password required',
  403: 'not permitted',
  404: 'not found; check the path of the address',
  407: 'a proxy requires a user and a password',
  429: 'too many requests',
};

function redirectHint(from: URL, location: string): string {
  let to: URL | undefined;
  try {
    to = new URL(location, from);
  } catch {
    to = undefined;
  }
  if (to === undefined || to.origin === from.origin || to.host === '') return 'its redirect is not followed';
  return `its redirect to another origin, ${to.origin}, is not followed; enter that address for the node, or, if it needs no login, set allowCrossOrigin: true on it`;
}

/** A status other than 2xx where data was expected. */
export function statusFault(
  who: string,
  url: URL,
  answer: {
    readonly status: number;
    readonly location?: string;
    readonly through?: string | undefined;
    readonly hadCredentials?: true | undefined;
  },
): FullhouseError {
  const { status, location, through, hadCredentials } = answer;
  const isLogin = status === 401 || status === 403;
  // Without a user the password alone is not sent.
  const user = hadCredentials ? '' : byPlace('write user for the node and ', '');
  const fix = isLogin ? secretFix(who, 'httpPassword', '') : '';
  const hint =
    location !== undefined && status >= 300 && status < 400
      ? redirectHint(url, location)
      : ((status === 401 && hadCredentials ? 'the credentials were refused' : statusHints[status]) ??
        (status >= 500 ? 'server error' : undefined));
  return new FullhouseError(
    `http-${status}`,
    `${who}: ${shownAddress(url)} returned HTTP ${status}${hint ? `; ${hint}` : ''}${fix && `: ${user}${fix}`}${through ? `; ${through} may have refused it instead of the server` : ''}.`,
  );
}
