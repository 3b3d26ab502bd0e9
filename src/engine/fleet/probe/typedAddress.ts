import { withoutPassword } from '../../../domain/typedPassword';
import { FullhouseError } from '../../../contract/calls';

/** What a person typed, taken apart. */
export interface TypedAddress {
  readonly text: string;
  readonly host: string;
  /** As typed; undefined when none was. */
  readonly port?: number;
  readonly user?: string;
  /** With scheme: it is a URL and not a host. */
  readonly url?: URL;
}

/** Schemes of servers and streams; anything else is a mistake rather than a host. */
const schemes = new Set(['http:', 'https:', 'rtmp:', 'rtmps:', 'ws:', 'wss:', 'rtsp:', 'ssh:']);

/** Takes `host`, `host:port`, `[v6]:port`, `user@host`, or a URL. Throws one sentence for anything else. */
export function readTypedAddress(typed: string): TypedAddress {
  const text = typed.trim();
  const wrong = (why: string): FullhouseError =>
    new FullhouseError('bad-address', `${why} Write a host, host:port, user@host or a URL.`);
  if (text === '') throw wrong('There is no address yet.');
  if (/\s/.test(text)) throw wrong('An address has no spaces.');
  const isUrl = /^[a-z][a-z0-9+.-]*:\/\//i.test(text);
  let url: URL;
  try {
    url = new URL(isUrl ? text : `ssh://${bracketed(text)}`);
  } catch {
    throw wrong(`"${withoutPassword(text)}" is no address.`);
  }
  if (!schemes.has(url.protocol)) throw wrong(`"${url.protocol}//" is not known here.`);
  if (url.hostname === '') throw wrong(`"${withoutPassword(text)}" names no host.`);
  if (url.password !== '')
    throw wrong(`Leave the password out of the address: ${withoutPassword(text)}. It is entered on its own.`);
  const isPlain = !isUrl || url.protocol === 'ssh:';
  return {
    text,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...(url.port === '' ? {} : { port: Number(url.port) }),
    ...(url.username === '' ? {} : { user: decodeURIComponent(url.username) }),
    ...(isPlain ? {} : { url }),
  };
}

/** A bare IPv6 address gets the brackets that a URL wants. */
function bracketed(text: string): string {
  const at = text.lastIndexOf('@') + 1;
  const host = text.slice(at);
  return host.split(':').length > 2 && !host.startsWith('[') ? `${text.slice(0, at)}[${host}]` : text;
}

/** A host as it stands in an address. */
export function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
