import { keyOfProtocol, type StreamAddressKey } from '../../../domain/model/addressKeys';
import { addressParts, type FamilyFile } from '../../../domain/family/familyFile';
import type { OriginSettings } from '../../../domain/model/nodeSettings';
import { protocolNames, type PlayProtocol } from '../../../domain/model/protocols';
import type { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../base/clock';
import { publishKeys } from '../configuredAddresses';
import { portsOf } from '../ports';
import { at, type Places } from './places';

/** The parts of a server that carry media, each with a check whether its port responds. */
export interface MediaParts {
  /** Checks all; a sentence for each that does not respond. */
  checkAll(): Promise<readonly string[]>;
  /** Rejects with a fault if none responds. */
  requireOne(): Promise<void>;
  /** Checks again from time to time while a part is silent: it may start after the API. Does not wait. */
  recheck(): void;
  /** Parts that did not respond to the latest check: their protocols have no address. */
  silent(): ReadonlySet<string>;
}

const recheckMs = 5000;

interface Part {
  readonly part: string;
  readonly port: number;
  readonly protocols: string[];
  readonly check: () => Promise<FullhouseError | undefined>;
}

/** Parts with an address of their own in the settings are not checked: it may be elsewhere. */
export function checkParts(
  rules: FamilyFile,
  places: Places,
  settings: OriginSettings,
  who: string,
  clock: Clock,
): MediaParts {
  const parts = new Map<string, Part>();
  const add = (protocol: string, address: string, key: StreamAddressKey | undefined): void => {
    const { part } = addressParts(address);
    if (key === undefined || settings[key] !== undefined) return;
    const name = protocol in protocolNames ? protocolNames[protocol as PlayProtocol] : protocol.toUpperCase();
    const known = parts.get(part);
    if (known) {
      if (!known.protocols.includes(name)) known.protocols.push(name);
      return;
    }
    const { proxy } = settings;
    const node = {
      server: 'generic',
      [key]: at(rules, places, address),
      ...(proxy === undefined ? {} : { proxy }),
    } as const;
    const [port] = portsOf(who, node, clock);
    if (port) parts.set(part, { part, port: rules.ports[part] ?? 0, protocols: [name], check: port.check });
  };
  for (const [protocol, address] of Object.entries(rules.play))
    add(protocol, address, keyOfProtocol(protocol as PlayProtocol));
  for (const [protocol, address] of Object.entries(rules.publish))
    add(
      protocol,
      address,
      publishKeys.find((key) => key === protocol),
    );

  let silent: ReadonlySet<string> = new Set();
  let checkedMs = clock.monotonic();
  const check = async (): Promise<ReadonlyArray<readonly [Part, FullhouseError]>> => {
    const faults = await Promise.all([...parts.values()].map(async (part) => [part, await part.check()] as const));
    const found = faults.flatMap(([part, fault]) => (fault ? [[part, fault] as const] : []));
    silent = new Set(found.map(([{ part }]) => part));
    return found;
  };
  return {
    checkAll: async () =>
      (await check()).map(
        ([{ port, protocols }]) =>
          `${who}: nothing responds on port ${port}, so there is no ${protocols.join(', no ')}; add its address to the node if it is elsewhere.`,
      ),
    requireOne: async () => {
      const faults = await check();
      const [first] = faults;
      if (first && faults.length === parts.size) throw first[1];
    },
    recheck: () => {
      if (silent.size === 0 || clock.monotonic() - checkedMs < recheckMs) return;
      checkedMs = clock.monotonic();
      void check();
    },
    silent: () => silent,
  };
}
