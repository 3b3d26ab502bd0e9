import { isOriginSettings, type NodeSettings } from '../model/nodeSettings';
import type { Plan } from '../model/plan';
import { audiencesOf } from '../model/distribution';
import { turnAddress } from '../model/turn';
import { ipGroups } from '../text/ipAddress';
import { withoutPassword } from './typedPassword';
import { urlKeys } from '../model/addressKeys';
import { percentDecoded } from '../text/percentDecoded';

/**
 * Addresses that stand for others in documentation and presets (RFC 2606, 5737, 3849 and 9637). Nothing of a test is
 * there, and a name of this kind may lead to a stranger's server.
 */
const exampleName = /(?:^|\.)(?:example(?:\.(?:com|net|org))?|invalid)$/;

/** IPv4: the first 24 bits of 192.0.2.0, 198.51.100.0 and 203.0.113.0. */
const isExampleV4 = (high: number, low: number): boolean =>
  [0xc0_00_02, 0xc6_33_64, 0xcb_00_71].includes(high * 256 + Math.floor(low / 256));

/** 2001:db8::/32 and 3fff::/20, and IPv4 within IPv6: mapped, or through NAT64. */
function isExampleIp(groups: readonly number[]): boolean {
  const [first = 0, second = 0, ...rest] = groups;
  const [high = 0, low = 0] = rest.slice(4);
  const isMapped = first === 0 && second === 0 && rest[3] === 0xffff;
  const isTranslated = first === 0x64 && second === 0xff9b;
  if ((isMapped || isTranslated) && isExampleV4(high, low)) return true;
  return (first === 0x2001 && second === 0xdb8) || (first === 0x3fff && second < 0x1000);
}

/** Whether a host is one of documentation, however it is written. */
function isExampleHost(host: string): boolean {
  const plain = percentDecoded(host)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
  const ip = ipGroups(plain);
  return ip ? isExampleIp(ip) : exampleName.test(plain);
}

/** The host of an address: a URL, a TURN address, or `user@host:port`; undefined without one. */
function hostIn(address: string): string | undefined {
  const text = address.trim();
  const turn = turnAddress(text);
  if (turn) return turn.host;
  const [, authority] = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(text) ?? [];
  const place = (authority ?? text).replace(/^.*@/s, '');
  const bracketed = /^\[([^\]]*)\]/.exec(place)?.[1];
  if (bracketed !== undefined) return bracketed;
  return place.split(':').length > 2 ? place : place.replace(/:\d*$/, '');
}

/** Whether an address leads to a host of documentation. */
export function isExampleAddress(address: string): boolean {
  const host = hostIn(address);
  return host !== undefined && isExampleHost(host);
}

/** The addresses that are contacted for a node. */
function addressesOf(settings: NodeSettings): readonly string[] {
  const { ssh, jump = '', nodeExporter, prometheus, url } = settings;
  const own = isOriginSettings(settings)
    ? [...urlKeys, 'turn' as const, 'ws' as const, 'metrics' as const, 'control' as const].map((key) => settings[key])
    : (settings.hosts ?? []);
  return [url, ...own, ssh, ...jump.split(','), nodeExporter, prometheus].filter((address) => address !== undefined);
}

/** Something whose address has to be replaced, as in "tester-1". */
interface Named {
  readonly name: string;
  readonly address: string;
}

/** One sentence that names all; undefined if there are none. */
export function exampleSentence(found: readonly Named[]): string | undefined {
  const all = found.map(({ name, address }) => `${name} (${withoutPassword(address)})`);
  const last = all.pop();
  if (last === undefined) return undefined;
  return all.length === 0
    ? `Replace the address of ${last}: it is an example of documentation, so nothing is contacted.`
    : `Replace the addresses of ${all.join(', ')} and ${last}: they are examples of documentation, so nothing is contacted.`;
}

function examplesIn(nodes: Readonly<Record<string, NodeSettings>>): readonly Named[] {
  return Object.entries(nodes).flatMap(([name, settings]) => {
    const address = addressesOf(settings).find(isExampleAddress);
    return address === undefined ? [] : [{ name, address }];
  });
}

/** Nodes with an address of documentation, as one sentence. */
export const exampleNodesFault = (nodes: Readonly<Record<string, NodeSettings>>): string | undefined =>
  exampleSentence(examplesIn(nodes));

/** Everything that a plan contacts with an address of documentation, as one sentence. */
export function examplePlanFault(plan: Plan): string | undefined {
  const beside = [
    ...plan.publish.map(({ stream, source }) => ({ name: `the source of ${stream}`, address: source })),
    ...audiencesOf(plan).flatMap(({ turn }) =>
      turn?.url === undefined ? [] : [{ name: 'the TURN server', address: turn.url }],
    ),
    ...(plan.hooks ?? []).flatMap((hook) =>
      'post' in hook ? [{ name: `the hook at ${hook.at}`, address: hook.post }] : [],
    ),
  ].filter(({ address }) => /^[a-z][a-z\d+.-]*:/i.test(address) && isExampleAddress(address));
  return exampleSentence([...examplesIn(plan.nodes), ...beside]);
}
