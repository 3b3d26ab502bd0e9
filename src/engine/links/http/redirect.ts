const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/**
 * Where an answer sends on to, if that is followed; undefined otherwise. Credentials neither leave TLS nor go to another host.
 */
export function redirectTarget(options: {
  readonly from: URL;
  readonly method: string;
  readonly status: number;
  readonly location: string | undefined;
  readonly hasCredentials: boolean;
}): URL | undefined {
  const { from, method, status, location, hasCredentials } = options;
  if (!redirectStatuses.has(status) || !location || (method !== 'GET' && method !== 'HEAD')) return undefined;
  let to: URL;
  try {
    to = new URL(location, from);
  } catch {
    return undefined; // the answer itself then says what it is
  }
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return undefined;
  if (hasCredentials && from.protocol === 'https:' && to.protocol !== 'https:') return undefined;
  if (hasCredentials && to.hostname !== from.hostname) return undefined;
  return to;
}
