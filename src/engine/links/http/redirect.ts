const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Whether a server may lead to an address: its own origin (scheme, host, port) and what a person has allowed. Otherwise it could make
 * this machine send requests to whatever the machine reaches, such as its own loopback.
 */
export function mayLead(from: URL, to: URL, allowCrossOrigin = false): boolean {
  return allowCrossOrigin || to.origin === from.origin;
}

/** The usual step of a host from http to https, which leads to no other server. */
function isUpgrade(from: URL, to: URL): boolean {
  const isUsual = from.port === '' && to.port === '' && to.hostname === from.hostname;
  return isUsual && from.protocol === 'http:' && to.protocol === 'https:';
}

/**
 * Where an answer sends on to, if that is followed; undefined otherwise. Credentials neither leave TLS nor go to another host, and
 * another origin is asked only where that is allowed.
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
    return undefined; // the answer itself then says what it is
  }
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return undefined;
  if (!mayLead(from, to, allowCrossOrigin) && !isUpgrade(from, to)) return undefined;
  if (hasCredentials && from.protocol === 'https:' && to.protocol !== 'https:') return undefined;
  if (hasCredentials && to.hostname !== from.hostname) return undefined;
  return to;
}
