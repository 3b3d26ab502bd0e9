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
 * The target of a redirect, if it is followed; undefined otherwise. Credentials are sent neither without TLS nor to
 * another host, and another origin is requested only where that is allowed.
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
  if (hasCredentials && from.protocol === 'https:' && to.protocol !== 'https:') return undefined;
  if (hasCredentials && to.hostname !== from.hostname) return undefined;
  return to;
}
