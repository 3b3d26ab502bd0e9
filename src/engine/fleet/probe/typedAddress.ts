import { pastedAddress } from '../../../domain/node/pastedAddress';
import { withoutPassword } from '../../../domain/node/typedPassword';
import { streamAddresses, urlKeys } from '../../../domain/model/addressKeys';
import { turnAddress } from '../../../domain/model/turn';
import { FullhouseError } from '../../../contract/calls';
import { bareHost } from '../../servers/addressTemplate';
import { percentDecoded } from '../../../domain/text/percentDecoded';

/** What the user typed, parsed. */
export interface TypedAddress {
  readonly text: string;
  readonly host: string;
  /** As typed; undefined if absent. */
  readonly port?: number;
  readonly user?: string;
  /** With scheme: it is a URL and not a host. */
  readonly url?: URL;
}

/** Schemes of servers and streams, `webrtc` as SRS's players write it; any other is an error rather than a host. */
const schemes = new Set(
  [...urlKeys.flatMap((key) => streamAddresses[key].schemes), 'webrtc', 'ssh'].map((name) => `${name}:`),
);

/** Parses `host`, `host:port`, `[v6]:port`, `user@host`, or a URL. Throws one sentence for anything else. */
export function readTypedAddress(typed: string): TypedAddress {
  const text = pastedAddress(typed)?.address ?? typed.trim();
  const wrong = (why: string): FullhouseError =>
    new FullhouseError('bad-address', `${why} Write a host, host:port, user@host or a URL.`);
  if (text === '') throw wrong('No address entered.');
  if (/\s/.test(text)) throw wrong("An address can't contain spaces.");
  const turn = turnAddress(text);
  if (turn) return { text, host: turn.host, port: turn.port, url: new URL(text) };
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  let url: URL;
  try {
    url = new URL(isUrl ? text : `ssh://${bracketed(text)}`);
  } catch {
    throw wrong(`"${withoutPassword(text)}" is not an address.`);
  }
  if (!schemes.has(url.protocol)) throw wrong(`"${url.protocol}//" is not supported.`);
  if (url.hostname === '') throw wrong(`"${withoutPassword(text)}" contains no host.`);
  if (url.password !== '')
    throw wrong(`Leave the password out of the address: ${withoutPassword(text)}. It has its own field.`);
  const isPlain = !isUrl || url.protocol === 'ssh:';
  return {
    text,
    host: bareHost(url.hostname),
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    ...(url.username === '' ? {} : { user: percentDecoded(url.username) }),
    ...(isPlain ? {} : { url }),
  };
}

/** Adds the brackets that a URL requires around a bare IPv6 address. */
function bracketed(text: string): string {
  const at = text.lastIndexOf('@') + 1;
  const host = text.slice(at);
  return host.split(':').length > 2 && !host.startsWith('[') ? `${text.slice(0, at)}[${host}]` : text;
}
