import { isLoopbackHost } from '../../domain/text/loopback';

/**
 * Whether a program may be loaded from there: by HTTPS, or from this machine. A package is verified by the hash that
 * its folder publishes, so anybody who could change the answers in between could change both.
 */
export function isTrustedTransport(url: string): boolean {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return false;
  }
  return parsed.protocol === 'https:' || (parsed.protocol === 'http:' && isLoopbackHost(parsed.hostname));
}

/** The address of a folder of packages, normalised. Throws a sentence when it can't be used. */
export function updateAddress(text: string): string {
  let parsed: URL;
  try {
    parsed = new URL(text);
  } catch {
    throw new Error(`"${text}" is no address. Enter one like https://packages.example.org/fullhouse/.`);
  }
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new Error(
      'The address of updates is stored in plain text: enter one without user, password, query and fragment.',
    );
  if (!isTrustedTransport(text))
    throw new Error(`Updates are loaded by https:// only (http:// from this machine); ${parsed.origin} is refused.`);
  return parsed.href.endsWith('/') ? parsed.href : `${parsed.href}/`;
}
