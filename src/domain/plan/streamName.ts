import type { PullProtocol } from '../model/protocols';

/** Unicode characters, not bytes. */
export const longestStreamName = 128;
/** Control and format characters, and lone surrogates, which have no UTF-8 encoding. */
const notAllowed = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Why a stream can't have this name, one sentence; undefined if it can. Otherwise any UTF-8 is allowed: each address
 * uses its own encoding.
 */
export function streamNameFault(name: string): string | undefined {
  if (name === '') return 'Name the stream.';
  const [found] = notAllowed.exec(name) ?? [];
  if (found !== undefined) {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `A stream name can't contain control characters or line breaks; this one contains U+${code}.`;
  }
  if (name !== name.trim()) return "A stream name can't start or end with a space.";
  if (name.startsWith('/')) return 'A stream name can\'t start with "/".';
  if (name.split('/').some((part) => part === '.' || part === '..'))
    return 'A part of a stream name between slashes can\'t be "." or "..": URLs drop such parts.';
  const { length } = [...name];
  return length > longestStreamName
    ? `A stream name has ${longestStreamName} characters or fewer; this one has ${length}.`
    : undefined;
}

/** Why a stream of this name can't be pulled over the protocol; undefined if it can. */
export function pulledNameFault(name: string, protocol: PullProtocol): string | undefined {
  // RTMP servers read parameters after a question mark, as SRS does its vhost and nginx-rtmp its server block.
  return protocol === 'rtmp' && /\?(?!vhost=|srv=)/.test(name)
    ? 'With RTMP, a stream name can\'t contain "?": servers read the rest as parameters. Rename the stream, or choose another protocol.'
    : undefined;
}
