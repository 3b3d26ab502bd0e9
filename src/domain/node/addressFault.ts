import { streamAddresses, urlKeys } from '../model/addressKeys';
import { isOriginSettings, noProxy, type NodeSettings } from '../model/nodeSettings';
import { turnAddress } from '../model/turn';
import { referencesIn } from '../secrets/references';
import { isUrlHost, isWrongIpv4 } from '../text/ipAddress';
import { hostFault } from './inventory';
import { rtmpFault, srtFault } from './mediaAddress';
import { withoutPassword } from './typedPassword';

/** The schemes of each address of a node. */
const schemes = {
  url: ['http', 'https', 'ws', 'wss'],
  ws: ['ws', 'wss'],
  control: ['http', 'https'],
  metrics: ['http', 'https'],
  nodeExporter: ['http', 'https'],
  prometheus: ['http', 'https'],
  proxy: ['http'],
  ...Object.fromEntries(urlKeys.map((key) => [key, streamAddresses[key].schemes])),
} satisfies Readonly<Record<string, readonly string[]>>;

/** What is checked beyond the form of a URL. */
const mediaFaults: Readonly<Record<string, ((text: string) => string | undefined) | undefined>> = {
  rtmp: rtmpFault,
  srt: srtFault,
};

const maxPort = 65_535;

/** What is wrong with an address of a URL's form, one sentence; undefined if nothing is. */
export function urlFault(text: string, allowed: readonly string[]): string | undefined {
  const address = text.trim();
  const shown = withoutPassword(address);
  const [, scheme = '', authority = ''] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)/i.exec(address) ?? [];
  if (scheme === '') return `"${shown}" is not an address. Write it like ${allowed[0]}://10.0.0.5:8080.`;
  if (!allowed.includes(scheme.toLowerCase()))
    return `"${shown}" starts with ${scheme}://; here it has to be ${allowed.map((name) => `${name}://`).join(' or ')}.`;
  const place = authority.replace(/^.*@/s, '');
  const [, host = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s.exec(place) ?? [];
  if (host === '' || host === '[]') return `"${shown}" names no host.`;
  if (/\s/.test(address)) return `"${shown}" contains a space.`;
  if (!isUrlHost(host)) return hostSentence(host, shown);
  return port === undefined ? undefined : portFault(port, shown);
}

const hostSentence = (host: string, shown: string): string =>
  `The host of "${shown}" can't exist: "${host}" is neither an IP address nor a name. Correct it.`;

const portFault = (port: string, shown: string): string | undefined =>
  /^\d{1,5}$/.test(port) && Number(port) >= 1 && Number(port) <= maxPort
    ? undefined
    : `The port of "${shown}" must be 1 to ${maxPort}.`;

function loginFault(text: string): string | undefined {
  const address = text
    .trim()
    .replace(/^ssh:\/\//i, '')
    .replace(/\/$/, '');
  const fault = hostFault(address);
  if (fault !== undefined) return fault;
  const host = address.replace(/^.*@/s, '').replace(/:\d+$/, '');
  if (isWrongIpv4(host)) return hostSentence(host, address);
  const [, port] = /:(\d+)$/.exec(address.replace(/\[[^\]]*\]/, '')) ?? [];
  return port === undefined ? undefined : portFault(port, address);
}

/** Addresses of a node that nothing can be reached at, with their keys. */
export function addressFaults(settings: NodeSettings): Array<{ readonly key: string; readonly sentence: string }> {
  const texts: Readonly<Record<string, unknown>> = { ...settings };
  const faults = Object.entries<readonly string[]>(schemes).flatMap(([key, allowed]) => {
    const text = texts[key];
    if (typeof text !== 'string' || referencesIn(text).length > 0) return [];
    if (key === 'proxy' && text === noProxy) return [];
    const sentence = urlFault(text, allowed) ?? mediaFaults[key]?.(text);
    return sentence === undefined ? [] : [{ key, sentence }];
  });
  const { turn } = isOriginSettings(settings) ? settings : {};
  if (turn !== undefined && referencesIn(turn).length === 0) {
    const host = turnAddress(turn)?.host;
    if (host === undefined)
      faults.push({ key: 'turn', sentence: `"${turn}" is not a TURN address. Write it like turn:10.0.0.5:3478.` });
    else if (isWrongIpv4(host)) faults.push({ key: 'turn', sentence: hostSentence(host, turn) });
  }
  const { ssh, jump } = settings;
  const hosts = isOriginSettings(settings) ? [] : (settings.hosts ?? []);
  for (const [key, text] of [
    ['ssh', ssh],
    ...hosts.map((host) => ['hosts', host]),
    ...(jump ?? '').split(',').map((part) => ['jump', part]),
  ] as const) {
    if (text === undefined || key === undefined || text.trim() === '' || referencesIn(text).length > 0) continue;
    const sentence = loginFault(text);
    if (sentence !== undefined) faults.push({ key, sentence });
  }
  return faults;
}
