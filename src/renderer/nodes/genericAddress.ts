import type { OriginSettings } from '../../domain/nodeSettings';

/** Words at the end of a path that name a playlist rather than a stream. */
const playlistNames = /^(index|playlist|master|manifest)\./i;
const isAddress = /^(https?|rtmps?):\/\/[^/\s]+/i;

/** The part of the settings that a media address belongs to. */
function kindOf(address: string): 'whep' | 'whip' | 'rtmp' | 'hls' | 'flv' | undefined {
  const path = address.replace(/[?#].*$/, '').toLowerCase();
  if (/^rtmps?:/.test(path)) return 'rtmp';
  if (path.endsWith('.m3u8')) return 'hls';
  if (path.endsWith('.flv')) return 'flv';
  if (path.includes('whip')) return 'whip';
  return path.includes('whep') ? 'whep' : undefined;
}

/** A media address with `{stream}` where the stream's name stood, unless it is there already. */
export function withStreamPlace(address: string): string {
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

/** A node of no known family at this address, as far as the address itself tells; undefined when it is no URL. */
export function genericOrigin(address: string): OriginSettings | undefined {
  const url = address.trim();
  if (!isAddress.test(url)) return undefined;
  const kind = kindOf(url);
  return kind ? { server: 'generic', [kind]: withStreamPlace(url) } : { server: 'generic', url };
}
