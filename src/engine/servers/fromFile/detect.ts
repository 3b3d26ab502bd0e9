import { addressParts, type FamilyFile, type RecognitionRule } from '../../../domain/family/familyFile';
import { matchAll } from '../../../domain/family/pattern';
import { softwareName } from '../../../domain/family/softwareName';
import { streamsIn } from '../../../domain/family/streamsIn';
import type { OriginSettings } from '../../../domain/model/nodeSettings';
import { keyOfProtocol } from '../../../domain/model/addressKeys';
import type { PlayProtocol } from '../../../domain/model/protocols';
import { percentDecoded } from '../../../domain/text/percentDecoded';
import { FullhouseError } from '../../../contract/calls';
import type { ProbeTarget, ServerFound } from '../adapter';
import { hostInAddress, webPortOf } from '../addressTemplate';
import { publishKeys } from '../configuredAddresses';
import { probeMs } from '../probeTimeout';
import { rtmpVersion } from '../rtmpVersion';
import { rtmpPorts } from '../rtmpHandshake';
import { rtspOptions, rtspPorts } from '../rtspOptions';
import { needsOf } from './login';
import { firstPart, secureScheme, shownName, usualBase, type Places } from './places';
import { readAll, treeOf, versionIn, type Response } from './responses';

/** Above those of addresses alone: a server that says what it is, or what it is made of. */
const certainty = 0.95;
const generalCertainty = 0.93;

/** A part of the server that identified itself. */
interface Recognised {
  readonly part: string;
  /** Where it responded, e.g. `https://host:8889`. */
  readonly origin: string;
  readonly version: string;
}

/**
 * Looks for a server of the family: at the entered address or port, which may be that of any of its parts, and on the
 * usual ports. An entered port that does not identify itself belongs to the server only if it is one of the family's own.
 */
export async function detectByFile(
  rules: FamilyFile,
  target: ProbeTarget,
  server: Pick<OriginSettings, 'server' | 'familyFile'>,
): Promise<ServerFound | undefined> {
  const typed = typedOrigin(target);
  const attempts = rules.recognise.map(async (rule) => {
    const [atTyped, atUsual] = await Promise.all([
      typed === undefined ? undefined : recognise(rules, rule, typed, target),
      recognise(rules, rule, undefined, target),
    ]);
    return { atTyped, atUsual };
  });
  const all = await Promise.all(attempts);
  const atTyped = typedPart(
    rules,
    target,
    all.flatMap(({ atTyped: found }) => found ?? []),
  );
  const atUsual = all.find(({ atUsual: found }) => found)?.atUsual;
  const version = [...all.map(({ atTyped: found }) => found), ...all.map(({ atUsual: found }) => found)].find(
    (found) => found?.version,
  )?.version;
  const found = atTyped ?? atUsual;
  if (!found || (!atTyped && !isOwnPort(rules, target))) return undefined;
  return describe(rules, target, server, found, version);
}

/**
 * Which part of the server responds at the entered address, where several rules match there: the one whose port it is, or
 * whose form the address has, or the first part, whose rules are the strictest.
 */
function typedPart(
  rules: FamilyFile,
  { port, url }: ProbeTarget,
  matches: readonly Recognised[],
): Recognised | undefined {
  const [first] = matches;
  if (!first) return undefined;
  const typed = url ? Number(webPortOf(url)) : port;
  const byPort = Object.entries(rules.ports).find(([, usual]) => usual === typed)?.[0];
  const byForm = url && namedIn(rules, url)?.part;
  const found = matches.find(({ part }) => part === firstPart(rules)) ?? first;
  return { ...found, part: byPort ?? byForm ?? found.part };
}

/** The HTTP server of the entered address or port. */
export function typedOrigin({ host, port, url }: ProbeTarget): string | undefined {
  if (url) return /^(https?|wss?):$/.test(url.protocol) ? url.origin.replace(/^ws/, 'http') : undefined;
  return port === undefined ? undefined : `http://${hostInAddress(host)}:${port}`;
}

/** Whether the entered port, if any, is a usual one of the family. */
function isOwnPort({ ports }: FamilyFile, { port, url }: ProbeTarget): boolean {
  if (!url) return port === undefined || Object.values(ports).includes(port);
  const typed = Number(url.port || (defaultPorts[url.protocol] ?? webPortOf(url)));
  return Object.values(ports).includes(typed);
}

const defaultPorts: Readonly<Record<string, number>> = { ...rtmpPorts, ...rtspPorts };

export async function recognise(
  rules: FamilyFile,
  rule: RecognitionRule,
  typed: string | undefined,
  { host, port, url, http, clock }: ProbeTarget,
): Promise<Recognised | undefined> {
  const written = hostInAddress(host);
  if (!('get' in rule)) {
    if (typed !== undefined && (url || port === undefined)) return undefined;
    const [scheme, part] = 'rtsp' in rule ? (['rtsp', rule.rtsp] as const) : (['rtmp', rule.rtmp] as const);
    const usual = (typed && port) ?? rules.ports[part];
    const own = url?.protocol === `${scheme}:` ? url.port || defaultPorts[url.protocol] : usual;
    const origin = `${scheme}://${written}:${own}`;
    const response =
      'rtsp' in rule
        ? /^server:(.*)$/im.exec((await rtspOptions(new URL(`${origin}/`), clock, probeMs)) ?? '')?.[1]
        : await rtmpVersion(written, Number(own), rules.app ?? 'live', clock, probeMs);
    const version = response === undefined ? undefined : matchAll(response, 'rtsp' in rule ? rule.server : rule.fmsVer);
    return version === undefined ? undefined : { part, origin, version };
  }
  const { scheme, part, path } = addressParts(rule.get);
  // A port without a scheme may be secure.
  const origin = (url && typed) ?? `${scheme}://${written}:${(typed && port) ?? rules.ports[part]}`;
  const response = await http
    .request({ url: origin + (path || '/'), timeoutMs: probeMs, maxBytes: 1_000_000 })
    .catch(() => undefined);
  if (!response) return undefined;
  const { status, header, body } = rule;
  if (status !== undefined && ![status].flat().includes(response.status)) return undefined;
  const versions = [
    ...Object.entries(header ?? {}).map(([name, patterns]) => matchAll(String(response.headers[name] ?? ''), patterns)),
    ...(body === undefined ? [] : [matchAll(response.body, body)]),
  ];
  if (versions.includes(undefined)) return undefined;
  return { part, origin, version: versions.find(Boolean) ?? '' };
}

async function describe(
  rules: FamilyFile,
  target: ProbeTarget,
  server: Pick<OriginSettings, 'server' | 'familyFile'>,
  found: Recognised,
  version: string | undefined,
): Promise<ServerFound> {
  const { host, secrets, user, http, clock, url } = target;
  const isFirst = found.part === firstPart(rules) || !/^https?:/.test(found.origin);
  const base = isFirst && /^https?:/.test(found.origin) ? found.origin : usualBase(rules, hostInAddress(host));
  const places: Places = { host: hostInAddress(host), base };
  const settings: OriginSettings = { ...server, url: base, ...movedAddresses(rules, places, found) };
  const access = { who: host, settings: { ...settings, user }, secrets: () => secrets, http, clock };
  const responses = await readAll(rules, places, access);
  const isLocked = Object.values(responses).some(
    (response) => response instanceof FullhouseError && /^http-40[13]$/.test(response.code),
  );
  const tree = rules.streams && treeOf(responses, rules.streams.from);
  const live =
    rules.streams && tree !== undefined
      ? streamsIn(tree, rules.streams, clock.now()).filter(({ publisher }) => publisher !== undefined).length
      : undefined;
  const software = softwareName(rules.title, versionIn(rules, responses) ?? version);
  const stream = url && streamOf(rules, url);
  const apiPort = webPortOf(new URL(base));
  const detail = [
    isLocked
      ? `API on ${apiPort}, behind a password`
      : live !== undefined
        ? `API on ${apiPort}, ${live === 1 ? 'one stream' : `${live === 0 ? 'no' : live} streams`} live`
        : apiState(Object.values(responses), apiPort),
    ...(isFirst ? [] : [`recognised on ${new URL(found.origin).port || webPortOf(new URL(found.origin))}`]),
  ];
  return {
    certainty: rules.isGeneral ? generalCertainty : certainty,
    software,
    detail: detail.filter(Boolean).join(', '),
    settings,
    ...(stream === undefined ? {} : { stream }),
    ...(isLocked ? { needs: needsOf(rules) } : {}),
  };
}

/** What is known of an API whose streams were not read. */
function apiState(responses: ReadonlyArray<Response | FullhouseError>, port: string): string {
  if (responses.length === 0) return '';
  if (responses.some((response) => !(response instanceof FullhouseError))) return `API on ${port}`;
  const needsLogin = responses.some((response) => response instanceof FullhouseError && response.code === 'no-login');
  return needsLogin ? `API on ${port} needs a login` : `no API on ${port}`;
}

/** Addresses of a part that responds elsewhere than usual. */
function movedAddresses(rules: FamilyFile, places: Places, { part, origin }: Recognised): Partial<OriginSettings> {
  const usual = `http://${places.host}:${rules.ports[part]}`;
  if (part === firstPart(rules) || origin === usual || !/^https?:/.test(origin)) return {};
  const isSecure = origin.startsWith('https:');
  const moved: Partial<Record<string, string>> = {};
  const add = (key: string | undefined, address: string): void => {
    const { scheme, part: own, path } = addressParts(address);
    if (key === undefined || own !== part) return;
    moved[key] ??= `${isSecure ? secureScheme(scheme) : scheme}://${new URL(origin).host}${path}`;
  };
  for (const [protocol, address] of Object.entries(rules.play)) add(keyOfProtocol(protocol as PlayProtocol), address);
  for (const [protocol, address] of Object.entries(rules.publish))
    add(
      publishKeys.find((key) => key === protocol),
      address,
    );
  return moved;
}

/** The stream that an address names, in one of the forms of the file. */
export const streamOf = (rules: FamilyFile, url: URL): string | undefined => namedIn(rules, url)?.stream;

function namedIn(rules: FamilyFile, url: URL): { readonly part: string; readonly stream: string } | undefined {
  const scheme = url.protocol.replace(/^(http|ws|rtmp|rtsp)s?:$/, '$1').replace(/:$/, '');
  const forms = [...Object.values(rules.play), ...Object.values(rules.publish), ...rules.pages];
  // The longer one where several match: a page of any path is a form of most addresses.
  for (const address of forms.sort((a, b) => b.length - a.length)) {
    const { scheme: own, part, path } = addressParts(address);
    if (own !== scheme) continue;
    if (!address.includes('{stream}') && url.pathname === path) return undefined;
    const names = namesBy(path, url);
    if (names)
      return {
        part,
        stream: shownName(rules, names.app === undefined ? names.stream : `${names.app}/${names.stream}`),
      };
  }
  return undefined;
}

/** The names in an address by the path and query of a template; the stream of a query may be in any order. */
function namesBy(template: string, url: URL): { readonly app?: string; readonly stream: string } | undefined {
  const [path = '', query = ''] = template.split('?');
  const names: Record<string, string> = {};
  const inPath = namesIn(path, url.pathname, '/?');
  if (!inPath) return undefined;
  for (const [key, value] of Object.entries(inPath)) names[key] = percentDecoded(value);
  for (const [key, value] of new URLSearchParams(query)) {
    const inQuery = namesIn(value, url.searchParams.get(key));
    if (!inQuery) return undefined;
    // A value without a name, such as `mode=play`, may differ.
    Object.assign(names, inQuery);
  }
  const { app, stream } = names;
  return stream ? { ...(app === undefined ? {} : { app }), stream } : undefined;
}

/** The names in a text of the form of a template; undefined when it has another one. */
function namesIn(template: string, text: string | null, end = ''): Readonly<Record<string, string>> | undefined {
  if (text === null) return undefined;
  const parts = template.split(/(\{app\}|\{stream\})/);
  if (parts.length === 1 && end === '') return {};
  const source = parts.map((part, index) => {
    // A name that occurs again is the same.
    if (/^\{(app|stream)\}$/.test(part) && parts.indexOf(part) < index) return `\\k<${part.slice(1, -1)}>`;
    if (part === '{app}') return '(?<app>[^/]{1,200})';
    return part === '{stream}' ? '(?<stream>.{1,300}?)' : part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  });
  const match = new RegExp(`^${source.join('')}${end}$`).exec(text);
  return match ? (match.groups ?? {}) : undefined;
}
