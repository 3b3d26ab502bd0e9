import { pathEndings, pathParts, urlKeys } from '../../../domain/model/addressKeys';
import { percentDecoded } from '../../../domain/text/percentDecoded';

/** A stream's address with `{stream}` in place of its name, and that name. */
export interface Template {
  readonly address: string;
  /** Undefined when no part of the address looks like a name. */
  readonly stream?: string;
}

const ending = `\\.(${pathEndings.map((each) => each.ending).join('|')})`;
/** Path segments that are never a stream's name, e.g. in `/cam/whep`, `/cam/index.m3u8` and `/live/cam/hls.m3u8`. */
const notNames = new RegExp(`^(${pathParts.join('|')}|(index|playlist|master|manifest|chunklist|hls)${ending})$`, 'i');
/** A name only where the segment before it cannot be one, as in `/live/stream.m3u8` and unlike `/cam/stream.m3u8`. */
const weakName = new RegExp(`^stream${ending}$`, 'i');
/** Usual applications and directories, under which streams have their names; many are named after a protocol. */
const folders = new RegExp(`^(api|app|live|vod|webrtc|rtc|ws|v\\d+|${urlKeys.join('|')})$`, 'i');
/** Last segments that are the same for all streams if the query has a name. */
const endpoints = new RegExp(`^(stream|play|player|watch|view|video)(${ending})?$`, 'i');
/** What follows the name, `.live.flv` too. */
const extension = new RegExp(`(\\.live)?${ending}$`, 'i');
/** Parts of a query with the stream's name, the likeliest first. */
const nameKeys = ['stream', 'streamname', 'src', 'name', 'path', 'id'] as const;

/**
 * Finds the stream's name in an entered address: in the query if the path is the same for all streams, else the last
 * path segment that can be one. An address that has `{stream}` stays as it is.
 */
export function templateOf(typed: URL): Template {
  const url = new URL(typed.href);
  url.username = '';
  url.password = '';
  url.hash = '';
  const entered = url.href.replace(/%7Bstream%7D/gi, '{stream}');
  if (entered.includes('{stream}')) return { address: entered };
  const special =
    url.protocol === 'srt:' ? streamIdOf(url) : /^rtmps?:$/.test(url.protocol) ? rtmpTemplate(url) : undefined;
  if (special) return special;
  const parts = url.pathname.split('/');
  // Not through URL, which would encode the braces as %7B.
  const origin = url.href.slice(0, url.href.indexOf(url.pathname, url.href.indexOf('//') + 2));
  const key = nameKeyOf(url, parts);
  if (key !== undefined) {
    const search = url.search.replace(new RegExp(`([?&]${key}=)[^&]*`), '$1{stream}');
    return { address: `${origin}${url.pathname}${search}`, stream: url.searchParams.get(key) ?? '' };
  }
  const at = lastName(parts);
  if (at === undefined) return { address: url.href };
  const part = parts[at] ?? '';
  const suffix = extension.exec(part)?.[0] ?? '';
  parts[at] = `{stream}${suffix}`;
  const stream = percentDecoded(part.slice(0, part.length - suffix.length));
  return { address: `${origin}${parts.join('/')}${url.search}`, stream };
}

/** The key of the stream's name in the query. All but `stream` may be something else, e.g. the id of a session. */
function nameKeyOf({ searchParams }: URL, parts: readonly string[]): string | undefined {
  const filled = [...searchParams].filter(([, value]) => value !== '').map(([key]) => key);
  const keys = nameKeys.flatMap((name) => filled.find((key) => key.toLowerCase() === name) ?? []);
  const last = parts.filter(Boolean).at(-1) ?? '';
  const isOfAll = last === '' || notNames.test(last) || endpoints.test(last) || folders.test(last);
  return isOfAll ? keys[0] : keys.find((key) => key.toLowerCase() === 'stream');
}

/** `rtmp://HOST/APPLICATION/STREAM`, or `rtmp://HOST/STREAM` where a server has no applications. */
function rtmpTemplate(url: URL): Template {
  const parts = url.pathname.split('/').filter(Boolean);
  const [first] = parts;
  const isApplication = parts.length === 1 && first !== undefined && folders.test(first);
  const stream = isApplication ? undefined : parts.pop();
  const path = [...(parts.length === 0 && stream === undefined ? ['live'] : parts), '{stream}'].join('/');
  return {
    address: `${url.protocol}//${url.host}/${path}${url.search}`,
    ...(stream === undefined ? {} : { stream: percentDecoded(stream) }),
  };
}

/**
 * The name in the `streamid` of SRT: its part `r=` (`#!::r=live/cam,m=request`, SRT access control), or what follows the
 * last colon (`read:cam`).
 */
function streamIdOf(url: URL): Template | undefined {
  const raw = /[?&]streamid=([^&]*)/.exec(url.search)?.[1];
  if (raw === undefined || raw === '') return undefined;
  const plain = percentDecoded(raw);
  const key = plain.startsWith('#!::') ? /(?:^#!::|,)r=(?=[^,])/.exec(plain) : undefined;
  if (key === null) return undefined;
  const at = key ? key.index + key[0].length : plain.lastIndexOf(':') + 1;
  const stream = key ? (/^[^,]*/.exec(plain.slice(at))?.[0] ?? '') : plain.slice(at);
  if (stream === '') return undefined;
  const template = `${encodeURIComponent(plain.slice(0, at))}{stream}${encodeURIComponent(plain.slice(at + stream.length))}`;
  return { address: url.href.replace(/([?&]streamid=)[^&]*/, (_, key: string) => key + template), stream };
}

function lastName(parts: readonly string[]): number | undefined {
  const names = parts.flatMap((part, index) => (index > 0 && part !== '' && !notNames.test(part) ? [index] : []));
  const [last, before] = names.reverse();
  if (last === undefined || before === undefined) return last;
  return weakName.test(parts[last] ?? '') && !folders.test(parts[before] ?? '') ? before : last;
}

/** The publish address that belongs to a pull address and the reverse; undefined for other addresses. */
export function counterpartOf(address: string): string | undefined {
  const counterpart = address.replace(
    /(\/)(whep|whip)(?=[/?]|$)/i,
    (_, slash: string, verb: string) => slash + (verb.toLowerCase() === 'whep' ? 'whip' : 'whep'),
  );
  return counterpart === address ? undefined : counterpart;
}
