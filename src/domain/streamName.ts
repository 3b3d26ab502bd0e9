import type { PullProtocol } from './plan/plan';

/** Unicode characters, not bytes. */
const longestName = 128;
/** What acts where it is shown in place of standing there, and halves of characters, which have no UTF-8. */
const notAllowed = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/**
 * Why a stream can't have this name, one sentence; undefined where it can. Any UTF-8 will do otherwise: each address writes it in its own
 * encoding.
 */
export function streamNameFault(name: string): string | undefined {
  if (name === '') return 'Name the stream.';
  const [found] = notAllowed.exec(name) ?? [];
  if (found !== undefined) {
    const code = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `A stream name can't contain control characters or line breaks; this one contains U+${code}.`;
  }
  if (name !== name.trim()) return "A stream name can't begin or end with a space.";
  if (name.startsWith('/')) return 'A stream name can\'t begin with "/".';
  if (name.split('/').some((part) => part === '.' || part === '..'))
    return 'A part of a stream name between slashes can\'t be "." or "..": URLs drop such parts.';
  const { length } = [...name];
  return length > longestName
    ? `A stream name has ${longestName} characters or fewer; this one has ${length}.`
    : undefined;
}

/** Why a stream of this name can't be pulled by the protocol; undefined where it can. */
export function pulledNameFault(name: string, protocol: PullProtocol): string | undefined {
  // RTMP servers read parameters behind a question mark, as SRS does its vhost and nginx-rtmp its server block.
  return protocol === 'rtmp' && /\?(?!vhost=|srv=)/.test(name)
    ? 'By RTMP a stream name can\'t contain "?": servers read what follows as parameters. Rename the stream, or choose another protocol.'
    : undefined;
}
