import { addressParts, type FamilyFile } from '../../../domain/family/familyFile';
import { streamAddressKeys } from '../../../domain/model/addressKeys';
import type { OriginSettings } from '../../../domain/model/nodeSettings';
import type { PublishProtocol } from '../../../domain/model/node';
import type { PlayProtocol } from '../../../domain/model/protocols';
import { FullhouseError } from '../../../contract/calls';
import type { StreamAddresses } from '../adapter';
import { fillAddress } from '../addressTemplate';
import { configuredAddresses } from '../configuredAddresses';
import { example } from '../ports';

/** Where the parts of a server are. */
export interface Places {
  /** As written in an address. */
  readonly host: string;
  /** Address of the first part, with its path but no slash at its end. */
  readonly base: string;
}

/** The first of its ports: that of `url`. */
export const firstPart = ({ ports }: FamilyFile): string => Object.keys(ports)[0] ?? '';

/** From the address of its API, or the host of any address. Throws `no-address` without one. */
export function placesOf(rules: FamilyFile, who: string, settings: OriginSettings): Places {
  const { url } = settings;
  const any = url ?? streamAddressKeys.map((key) => settings[key]).find((each) => each !== undefined);
  if (any === undefined)
    throw new FullhouseError(
      'no-address',
      `${who} has no address; edit the node. It is usually ${usualBase(rules, 'HOST')}.`,
    );
  const { hostname } = example(any);
  return { host: hostname, base: url === undefined ? usualBase(rules, hostname) : withoutEnd(url) };
}

/** An address without query, fragment and the slash before them. */
const withoutEnd = (url: string): string => url.replace(/[?#].*$/s, '').replace(/\/+$/, '');

/** Secure if the family's own first way to recognise it is. */
export function usualBase(rules: FamilyFile, host: string): string {
  const isSecure = rules.recognise.some(
    (rule) => 'get' in rule && rule.get.startsWith(`https://{${firstPart(rules)}}`),
  );
  return `${isSecure ? 'https' : 'http'}://${host}:${rules.ports[firstPart(rules)]}`;
}

/** The scheme over TLS; others than HTTP's stay as they are. */
export const secureScheme = (scheme: string): string => scheme.replace(/^(http|ws)$/, '$1s');

/**
 * An address of the file at these places. Parts over HTTP are secure if that of `url` is; ports are the usual ones, but
 * that of `url`.
 */
export function at(rules: FamilyFile, { host, base }: Places, address: string): string {
  const { scheme, part, path } = addressParts(address);
  const port = rules.ports[part];
  if (port === undefined)
    throw new FullhouseError('bad-family', `The address ${address} of ${rules.title} has no port.`);
  if (scheme === 'http' && part === firstPart(rules)) return base + path;
  const written = base.startsWith('https:') ? secureScheme(scheme) : scheme;
  if (part === firstPart(rules)) return `${written}://${new URL(base).host}${path}`;
  return `${written}://${host}${port === usualPorts[scheme] ? '' : `:${port}`}${path}`;
}

/** Left out of addresses. */
const usualPorts: Readonly<Record<string, number>> = { rtmp: 1935, rtsp: 554, http: 80, ws: 80 };

/** The names in addresses: `app/stream` is a stream of that application, any other one of the usual application. */
export function namesIn({ app }: FamilyFile, stream: string): Readonly<Record<string, string>> {
  if (app === undefined) return { stream };
  const slash = stream.lastIndexOf('/');
  return slash <= 0 ? { app, stream } : { app: stream.slice(0, slash), stream: stream.slice(slash + 1) };
}

/** The name of a stream as its server reports it, without the usual application. */
export const shownName = ({ app }: FamilyFile, name: string): string =>
  app !== undefined && name.startsWith(`${app}/`) && name.indexOf('/', app.length + 1) < 0
    ? name.slice(app.length + 1)
    : name;

/** Where a stream is pulled and published: as configured, else by the file, without the protocols in `silent`. */
export function addressesOf(
  rules: FamilyFile,
  places: Places,
  settings: OriginSettings,
  name: string,
  silent: ReadonlySet<string> = new Set(),
): StreamAddresses {
  const names = namesIn(rules, name);
  const usual = <P extends string>(templates: Readonly<Partial<Record<P, string>>>): Partial<Record<P, string>> =>
    Object.fromEntries(
      Object.entries<string | undefined>(templates).flatMap(([protocol, address]) =>
        address === undefined || silent.has(addressParts(address).part)
          ? []
          : [[protocol, fillAddress(at(rules, places, address), names)]],
      ),
    ) as Partial<Record<P, string>>;
  const own = configuredAddresses(settings, name, names);
  const token = rules.token?.replace(/\{(app|stream)\}/g, (_, key: string) => names[key] ?? '');
  return {
    play: { ...usual<PlayProtocol>(rules.play), ...own.play },
    publish: { ...usual<PublishProtocol>(rules.publish), ...own.publish },
    ...(token === undefined ? {} : tokensOf(token)),
  };
}

/** The same token for publishers and all viewers. */
const tokensOf = (token: string): Pick<StreamAddresses, 'token' | 'viewerTokens'> => ({
  token: () => Promise.resolve(token),
  viewerTokens: (viewers) => Array.from({ length: viewers }, () => token),
});
