import { protocolRows, pullProtocols, type PlayProtocol, type protocols, type StreamAddress } from './protocols';

/** The addresses of the protocol table, by their keys in the settings of a node. */

type Row = (typeof protocols)[PlayProtocol];
type Address =
  | Extract<Row, { readonly address: StreamAddress }>['address']
  | Extract<Row, { readonly publishAddress: StreamAddress }>['publishAddress'];
type WithoutStream = Extract<Address, { readonly isWithoutStream: true }>;
type OverHttp = Extract<Address, { readonly schemes: readonly ['http', 'https'] | readonly ['ws', 'wss'] }>;

/** Stream URLs, and the address of a TURN server, which has no streams. */
export type StreamAddressKey = Address['key'];
/** Settings with the URL of a stream, `{stream}` in place of its name. */
export type UrlKey = Exclude<StreamAddressKey, WithoutStream['key']>;
/** Addresses of protocols with a port and a scheme that is not HTTP's. */
export type PortAddressKey = Exclude<StreamAddressKey, OverHttp['key']>;
/** Causes of failed viewers that got a response of another format than that of their protocol. */
export type OtherFormatCause = Extract<Address, { readonly otherFormat: string }>['otherFormat'];

type NamedAddress = StreamAddress & { readonly name: string };

/** Protocols with one key have one address, with the schemes of all of them. */
function merged(): Readonly<Record<StreamAddressKey, NamedAddress>> {
  const byKey: Record<string, NamedAddress> = {};
  for (const { name, address, publishAddress } of pullProtocols.map((protocol) => protocolRows[protocol]))
    for (const each of [address, publishAddress]) {
      if (!each) continue;
      const schemes = [...(byKey[each.key]?.schemes ?? []), ...each.schemes];
      byKey[each.key] = { name, ...(byKey[each.key] ?? each), schemes };
    }
  return byKey as Record<StreamAddressKey, NamedAddress>;
}

/** The addresses in the order of their protocols. */
export const streamAddresses = merged();
export const streamAddressKeys = Object.keys(streamAddresses) as readonly StreamAddressKey[];
export const urlKeys = streamAddressKeys.filter((key) => !streamAddresses[key].isWithoutStream) as readonly UrlKey[];

const isOverHttp = (key: StreamAddressKey): boolean => streamAddresses[key].schemes.includes('http');
/** Addresses that answer to HTTP requests. */
export const httpAddressKeys = streamAddressKeys.filter(isOverHttp);
export const portAddressKeys = streamAddressKeys.filter((key) => !isOverHttp(key)) as readonly PortAddressKey[];

/** The address of a protocol with a scheme that only it has; undefined for those of HTTP and for unknown ones. */
export const keyOfScheme = (scheme: string): PortAddressKey | undefined =>
  portAddressKeys.find((key) => streamAddresses[key].schemes.includes(scheme.toLowerCase()));

/** The setting with the address of a protocol; undefined where it follows from that of the server. */
export const keyOfProtocol = (protocol: PlayProtocol): StreamAddressKey | undefined =>
  protocolRows[protocol].address?.key as StreamAddressKey | undefined;

/** The endings of paths, with the keys of their addresses. */
export const pathEndings: ReadonlyArray<{ readonly key: StreamAddressKey; readonly ending: string }> =
  streamAddressKeys.flatMap((key) => (streamAddresses[key].endings ?? []).map((ending) => ({ key, ending })));

/** Parts of paths beside the stream's name. */
export const pathParts = streamAddressKeys.flatMap((key) => streamAddresses[key].pathPart ?? []);
