import type { OriginSettings } from '../../../domain/model/nodeSettings';
import { turnAddress } from '../../../domain/model/turn';
import {
  keyOfScheme,
  pathEndings,
  streamAddresses,
  urlKeys,
  type StreamAddressKey,
} from '../../../domain/model/addressKeys';

/** Path endings that name a playlist, not a stream. */
const playlistNames = /^(index|playlist|master|manifest)\./i;
const schemes = urlKeys.flatMap((key) => streamAddresses[key].schemes);
const isAddress = new RegExp(`^(${schemes.join('|')})://[^/\\s]+`, 'i');

/** The settings key of a media address. */
function kindOf(address: string): StreamAddressKey | undefined {
  const path = address.replace(/[?#].*$/, '').toLowerCase();
  const ofScheme = keyOfScheme(path.slice(0, path.indexOf(':')));
  const ofEnding = pathEndings.find(({ ending }) => path.endsWith(`.${ending}`))?.key;
  // WHIP, the last one, first: the path of a publish address may also name WHEP.
  const ofPart = [...urlKeys].reverse().find((key) => {
    const { pathPart } = streamAddresses[key];
    return pathPart !== undefined && path.includes(pathPart);
  });
  return ofScheme ?? ofEnding ?? ofPart;
}

/** A media address with the stream's name replaced by `{stream}`, unless present. */
function withStreamPlace(address: string): string {
  if (address.includes('{stream}')) return address;
  const [head = '', rest = ''] = address.split(/(?=[?#])/, 2);
  // Servers that name the stream in the query, as SRS does.
  if (/[?&]stream=[^&#]+/.test(rest)) return head + rest.replace(/([?&]stream=)[^&#]+/, '$1{stream}');
  const [, base = '', path = ''] = /^([a-z]+:\/\/[^/]+)(.*)$/i.exec(head) ?? [];
  const parts = path.split('/').slice(1);
  if (parts.length < 2) return address;
  const last = parts.at(-1) ?? '';
  const at = playlistNames.test(last) ? parts.length - 2 : parts.length - 1;
  const named = parts.map((part, index) => (index === at ? part.replace(/^[^.]+/, '{stream}') : part));
  return `${base}/${named.join('/')}${rest}`;
}

/** A generic node at this address, derived from the address alone; undefined if it is not a URL. */
export function genericOrigin(address: string): OriginSettings | undefined {
  const url = address.trim();
  if (turnAddress(url)) return { server: 'generic', turn: url };
  if (!isAddress.test(url)) return undefined;
  const kind = kindOf(url);
  return kind ? { server: 'generic', [kind]: withStreamPlace(url) } : { server: 'generic', url };
}
