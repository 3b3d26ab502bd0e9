import { FullhouseError } from '../../../contract/calls';

/** An address as it may be shown: query and credentials can hold secrets. */
export function shownAddress(url: URL): string {
  return `${url.origin}${url.pathname === '/' ? '' : url.pathname}`;
}

/** The switch of a node's settings that every sentence about a certificate names. */
const ownCertificate = 'switch on "accept this node\'s own certificate" if you trust it';

const certificateFaults: Readonly<Record<string, (url: URL) => string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: () => `is self-signed; ${ownCertificate}`,
  SELF_SIGNED_CERT_IN_CHAIN: () =>
    `comes from a certificate authority of its own that this machine does not know; ${ownCertificate}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: () =>
    `comes from a certificate authority that this machine does not know, or the server leaves out the certificates between; ${ownCertificate}`,
  UNABLE_TO_GET_ISSUER_CERT: () =>
    `comes from a certificate authority that this machine does not know; ${ownCertificate}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: () =>
    `comes from a certificate authority that this machine does not know; ${ownCertificate}`,
  CERT_HAS_EXPIRED: () => `has expired; renew it, or ${ownCertificate}`,
  CERT_NOT_YET_VALID: () => `is not valid yet; compare the clocks of both machines, or ${ownCertificate}`,
  CERT_REVOKED: () => 'has been revoked; the server needs a new one',
  ERR_TLS_CERT_ALTNAME_INVALID: (url) =>
    `is made out for another name than ${url.hostname}; use the name that it is made out for, or ${ownCertificate}`,
};

const nobodyThere = new Set(['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL']);
const cutOff = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED']);

/** Why a request got no answer, as one sentence. */
export function httpFault(
  who: string,
  url: URL,
  error: NodeJS.ErrnoException,
  begun: boolean,
): FullhouseError {
  if (error instanceof FullhouseError) return error;
  const code = error.code ?? '';
  const fault = (kind: string, sentence: string): FullhouseError =>
    new FullhouseError(kind, `${who}: ${sentence}.`, { cause: error });
  const certificate = certificateFaults[code];
  if (certificate) return fault('tls', `the certificate of ${url.origin} ${certificate(url)}`);
  if (/wrong.version.number|http request/i.test(error.message))
    return fault('tls', `${url.origin} does not speak TLS; type http:// in place of https://`);
  if (code === 'EPROTO' || /^ERR_(SSL|TLS)/.test(code))
    return fault('tls', `no TLS connection to ${url.origin} can be agreed on (${reasonOf(error)})`);
  if (code === 'ECONNREFUSED')
    return fault('refused', `nothing listens at ${url.origin}; check the port, and that the server runs`);
  if (code === 'ENOTFOUND')
    return fault('no-such-host', `there is no host of the name "${url.hostname}"; check the address`);
  if (code === 'EAI_AGAIN')
    return fault(
      'no-such-host',
      `the name "${url.hostname}" can't be looked up now; check this machine's network and DNS`,
    );
  if (nobodyThere.has(code))
    return fault(
      'unreachable',
      `${url.hostname} can't be reached from this machine; check the network or the VPN`,
    );
  if (code === 'ETIMEDOUT')
    return fault('timeout', `${url.origin} does not answer; a firewall may drop what is sent there`);
  if (cutOff.has(code))
    return fault(
      'closed',
      `${shownAddress(url)} closed the connection ${begun ? 'in the middle of its answer' : 'without an answer'}`,
    );
  if (code.startsWith('HPE_')) return fault('not-http', `what answers at ${url.origin} does not speak HTTP`);
  return fault('unreachable', `${shownAddress(url)} can't be asked (${reasonOf(error)})`);
}

/** OpenSSL's messages hold source files and error numbers between colons; the last words are the reason. */
function reasonOf(error: Error): string {
  const words = error.message.split(':').filter((part) => /[a-z]{3}/i.test(part) && !/\.c$/.test(part));
  return (words[words.length - 1] ?? error.message).trim().slice(0, 120);
}

const statusHints: Readonly<Record<number, string>> = {
  401: 'it wants a user and a password',
  403: 'it does not allow this to us',
  404: 'there is nothing of that name',
  407: 'a proxy wants a user and a password',
  429: 'it is asked too often',
};

function redirectHint(from: URL, location: string): string {
  let to: URL | undefined;
  try {
    to = new URL(location, from);
  } catch {
    to = undefined;
  }
  if (to === undefined || to.origin === from.origin || to.host === '')
    return 'it sends on to another address that is not followed';
  return `it redirects to another origin, ${to.origin}, and is not followed there; enter that address at the node, or set allowCrossOrigin: true on it`;
}

/** A status other than 2xx where figures were expected. */
export function statusFault(
  who: string,
  url: URL,
  answer: { readonly status: number; readonly location?: string },
): FullhouseError {
  const { status, location } = answer;
  const hint =
    location !== undefined && status >= 300 && status < 400
      ? redirectHint(url, location)
      : (statusHints[status] ?? (status >= 500 ? 'the server itself is in trouble' : undefined));
  return new FullhouseError(
    `http-${status}`,
    `${who}: ${shownAddress(url)} answers HTTP ${status}${hint ? `; ${hint}` : ''}.`,
  );
}
