import { pathEndings, pathParts } from '../../../domain/model/addressKeys';
import { percentDecoded } from '../../../domain/text/percentDecoded';

/** A stream's address with `{stream}` in place of its name, and that name. */
export interface Template {
  readonly address: string;
  /** Undefined when no part of the address looks like a name. */
  readonly stream?: string;
}

/** Trailing path segments that are not a stream's name, e.g. `/cam/whep` and `/cam/index.m3u8`. */
const notNames = new RegExp(`^(${pathParts.join('|')}|(index|playlist|master|chunklist)\\.m3u8)$`, 'i');
const extension = new RegExp(`\\.(${pathEndings.map(({ ending }) => ending).join('|')})$`, 'i');

/** Finds the stream's name in an entered address: `?stream=`, else the last path segment that can be one. */
export function templateOf(typed: URL): Template {
  const url = new URL(typed.href);
  url.username = '';
  url.password = '';
  url.hash = '';
  const id = url.protocol === 'srt:' ? streamIdOf(url) : undefined;
  if (id) return id;
  const named = url.searchParams.get('stream');
  if (named !== null && named !== '')
    return {
      address: url.href.replace(/([?&]stream=)[^&]*/, '$1{stream}'),
      stream: named,
    };
  const parts = url.pathname.split('/');
  const at = lastName(parts);
  if (at === undefined) return { address: url.href };
  const part = parts[at] ?? '';
  const suffix = extension.exec(part)?.[0] ?? '';
  parts[at] = `{stream}${suffix}`;
  const stream = percentDecoded(part.slice(0, part.length - suffix.length));
  // Not through URL, which would encode the braces as %7B.
  const origin = url.href.slice(0, url.href.indexOf(url.pathname, url.href.indexOf('//') + 2));
  return { address: `${origin}${parts.join('/')}${url.search}`, stream };
}

/**
 * The name in the `streamid` of SRT: its part `r=` (`#!::r=live/cam,m=request`, SRT access control), or what follows the
 * last colon (`read:cam`).
 */
function streamIdOf(url: URL): Template | undefined {
  const raw = /[?&]streamid=([^&]*)/.exec(url.search)?.[1];
  if (raw === undefined || raw === '') return undefined;
  const plain = percentDecoded(raw);
  const stream = plain.startsWith('#!::') ? /[:,]r=([^,]+)/.exec(plain)?.[1] : plain.slice(plain.lastIndexOf(':') + 1);
  if (!stream) return undefined;
  const at = plain.startsWith('#!::') ? plain.indexOf('r=') + 2 : plain.length - stream.length;
  const template = `${encodeURIComponent(plain.slice(0, at))}{stream}${encodeURIComponent(plain.slice(at + stream.length))}`;
  return { address: url.href.replace(/([?&]streamid=)[^&]*/, (_, key: string) => key + template), stream };
}

function lastName(parts: readonly string[]): number | undefined {
  for (let index = parts.length - 1; index > 0; index -= 1) {
    const part = parts[index] ?? '';
    if (part !== '' && !notNames.test(part)) return index;
  }
  return undefined;
}

/** The publish address that belongs to a pull address and the reverse; undefined for other addresses. */
export function counterpartOf(address: string): string | undefined {
  const counterpart = address.replace(
    /(\/)(whep|whip)(?=[/?]|$)/i,
    (_, slash: string, verb: string) => slash + (verb.toLowerCase() === 'whep' ? 'whip' : 'whep'),
  );
  return counterpart === address ? undefined : counterpart;
}
