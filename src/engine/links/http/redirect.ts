const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Whether a redirect is followed: within its own origin (scheme, host, port) or as configured. Otherwise a server could
 * make this machine send requests to anything it reaches, such as its own loopback.
 */
export function mayRedirect(from: URL, to: URL, allowCrossOrigin = false): boolean {
  return allowCrossOrigin || to.origin === from.origin;
}

/** The usual redirect of a host from http to https, which stays on the server. */
function isUpgrade(from: URL, to: URL): boolean {
  const isUsual = from.port === '' && to.port === '' && to.hostname === from.hostname;
  return isUsual && from.protocol === 'http:' && to.protocol === 'https:';
}

/**
 * The target of a redirect, if it is followed; undefined otherwise. A request with credentials stays on its origin,
 * whatever is allowed: another port of the same host may belong to another user of it.
 */
export function redirectTarget(options: {
  readonly from: URL;
  readonly method: string;
  readonly status: number;
  readonly location: string | undefined;
  readonly hasCredentials: boolean;
  readonly allowCrossOrigin?: boolean;
}): URL | undefined {
  const { from, method, status, location, hasCredentials, allowCrossOrigin } = options;
  if (!redirectStatuses.has(status) || !location || (method !== 'GET' && method !== 'HEAD')) return undefined;
  let to: URL;
  try {
    to = new URL(location, from);
  } catch {
    return undefined; // the response is then returned as it is
  }
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return undefined;
  if (!mayRedirect(from, to, allowCrossOrigin) && !isUpgrade(from, to)) return undefined;
  if (hasCredentials && to.origin !== from.origin) return undefined;
  return to;
}

/** Headers that say nothing of who sends them. */
const plainHeaders = new Set(['accept', 'accept-encoding', 'accept-language', 'content-type', 'range', 'user-agent']);

/** Whether headers identify their sender: logins, tokens, cookies and keys, under whatever name. */
export function haveCredentials(headers: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(headers).some((name) => !plainHeaders.has(name.toLowerCase()));
}
