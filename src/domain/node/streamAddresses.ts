import { streamAddressKeys, type StreamAddressKey } from '../model/addressKeys';
import type { OriginSettings } from '../model/nodeSettings';
import { protocolRows, pullProtocols, type PlayProtocol } from '../model/protocols';
import { traitsOf } from '../model/serverFamilies';

type Addresses = Readonly<Partial<Record<StreamAddressKey, string | undefined>>>;

/** The configured addresses by protocol; FLV is pulled over HTTP or WebSocket, as its scheme says. */
export function configuredPlay(settings: Addresses): Readonly<Partial<Record<PlayProtocol, string>>> {
  return Object.fromEntries(
    streamAddressKeys.flatMap((key) => {
      const address = settings[key];
      const protocol = address ? protocolAt(key, address) : undefined;
      return protocol === undefined ? [] : [[protocol, address]];
    }),
  );
}

/** Of the protocols with this key the one with the address's scheme, else the first, as for a reference to a secret. */
function protocolAt(key: StreamAddressKey, address: string): PlayProtocol | undefined {
  const scheme = address.slice(0, address.indexOf(':')).toLowerCase();
  const all = pullProtocols.filter((protocol) => protocolRows[protocol].address?.key === key);
  return all.find((protocol) => protocolRows[protocol].address?.schemes.includes(scheme)) ?? all[0];
}

/**
 * The protocols over which a server may have streams, whatever it answers; undefined for a family whose addresses are
 * those of its settings alone.
 */
export function possiblePlay(origin: OriginSettings): readonly PlayProtocol[] | undefined {
  const { play } = traitsOf(origin.server);
  if (!play) return undefined;
  const used = Object.fromEntries(play.settings.map((key) => [key, origin[key]]));
  const configured = Object.keys(configuredPlay(used)) as PlayProtocol[];
  return [...new Set([...play.own, ...configured])];
}
