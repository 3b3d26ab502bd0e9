import { streamAddressKeys } from '../model/addressKeys';
import { isGroup, isOriginSettings, noProxy, type NodeSettings } from '../model/nodeSettings';
import { turnAddress } from '../model/turn';
import { maskAddresses } from '../secrets/addressSecrets';
import { isLoopbackHost } from '../text/loopback';
import { escaped } from '../text/quoted';

/** An address that is contacted, with the field that names it. */
export interface Contact {
  readonly path: string;
  /** Scheme, user of a login, host and port: one text for each party, whatever the path of the address. */
  readonly address: string;
  /** On this machine. */
  readonly isHere: boolean;
}

const host = /[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?|\[[0-9a-f:.]+\]/.source;
const port = /(?::(\d{1,5}))?/.source;
/** Nothing else counts as understood: what a client could read in another way is shown as a whole. */
const url = new RegExp(`^([a-z][a-z0-9+.-]*)://(?:[^\\s/?#@\\\\]*@)?(${host})${port}(?=[/?#]|$)`, 'i');
const bare = new RegExp(`^(${host})${port}(?=[/?#]|$)`, 'i');
const login = new RegExp(`^(?:ssh://)?(?:([^\\s'"\`$;|&<>(){}/\\\\]+)@)?(${host}|[0-9a-f:]+)${port}/?$`, 'i');

const usualPorts: Readonly<Record<string, string>> = {
  ...{ http: '80', https: '443', ws: '80', wss: '443', rtmp: '1935', rtmps: '443', rtsp: '554', rtsps: '322' },
  ...{ ssh: '22' },
};

const whole = (text: string): string => escaped(maskAddresses(text));

function joined(scheme: string, user: string | undefined, named: string, at: string | undefined): string {
  const usual = at === undefined || Number(at) === Number(usualPorts[scheme]);
  return `${scheme}://${user === undefined ? '' : `${user}@`}${named}${usual ? '' : `:${at}`}`;
}

function urlContact(path: string, text: string): Contact {
  const trimmed = text.trim();
  const [, scheme = '', named = '', at] = url.exec(trimmed) ?? ['', 'http', ...(bare.exec(trimmed)?.slice(1) ?? [])];
  if (named === '') return { path, address: whole(trimmed), isHere: false };
  return {
    path,
    address: joined(scheme.toLowerCase(), undefined, named.toLowerCase(), at),
    isHere: isLoopbackHost(named),
  };
}

function loginContact(path: string, text: string, user: string | undefined, isBehind: boolean): Contact {
  const [, own, named = '', at] = login.exec(text.trim()) ?? [];
  if (named === '') return { path, address: whole(text.trim()), isHere: false };
  // Loopback of a jump host is another machine.
  return {
    path,
    address: escaped(joined('ssh', own ?? user, named.toLowerCase(), at)),
    isHere: !isBehind && isLoopbackHost(named),
  };
}

/** A TURN server. */
export function turnContact(path: string, text: string): Contact {
  const server = turnAddress(text);
  if (!server) return { path, address: whole(text), isHere: false };
  const scheme = server.transport === 'tls' ? 'turns' : 'turn';
  const named = server.host.includes(':') ? `[${server.host}]` : server.host;
  return { path, address: `${scheme}:${named.toLowerCase()}:${server.port}`, isHere: isLoopbackHost(server.host) };
}

/** The address of a source that a server pulls itself. */
export const sourceContact = urlContact;

const addressKeys = ['url', 'ws', 'control', 'metrics', 'nodeExporter', 'prometheus', 'proxy'] as const;

/** Where a node is contacted. `inventory` are the hosts of its inventory. */
export function contactsOf(path: string, settings: NodeSettings, inventory: readonly string[] = []): Contact[] {
  const texts: Readonly<Record<string, unknown>> = { ...settings };
  const given = (keys: readonly string[]): Array<[string, string]> =>
    keys.flatMap((key): Array<[string, string]> => {
      const text = texts[key];
      return typeof text === 'string' && !(key === 'proxy' && text === noProxy) ? [[`${path}.${key}`, text]] : [];
    });
  const { ssh, jump } = settings;
  const jumps = (jump ?? '').split(',').filter((each) => each.trim() !== '');
  const user = !isOriginSettings(settings) && isGroup(settings) ? settings.user : undefined;
  const hosts = isOriginSettings(settings) ? [] : (settings.hosts ?? []);
  const contacts = [
    ...given([...addressKeys, ...streamAddressKeys]).map(([at, text]) =>
      at.endsWith('.turn') ? turnContact(at, text) : urlContact(at, text),
    ),
    ...jumps.map((each, place) => loginContact(`${path}.jump`, each, undefined, place > 0)),
    ...(ssh === undefined ? [] : [loginContact(`${path}.ssh`, ssh, undefined, jumps.length > 0)]),
    ...hosts.map((each) => loginContact(`${path}.hosts`, each, user, jumps.length > 0)),
    ...inventory.map((each) => loginContact(`${path}.inventory`, each, user, jumps.length > 0)),
  ];
  return contacts;
}
