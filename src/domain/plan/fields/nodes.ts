import {
  secretKinds,
  serverFamilies,
  testerKinds,
  type HostSettings,
  type NodeSettings,
  type OriginSettings,
  type TesterSettings,
} from '../../model/nodeSettings';
import { isReference } from '../../secrets/references';
import { isSeries } from '../../series/series';
import { choices } from '../../text/closestMatch';
import type { PlanField } from '../planField';
import { nodeNameFault } from '../planNames';
import { flow, scalar } from '../yamlText';
import { jsonOf, mapOf, readFields, writeFields, type FieldsOf } from './fields';
import { choice, flag, type Kind, type ReadKind } from './kind';

/** Nodes of a plan or a fleet file. */

/** A text that is not empty; its fault names the field. */
const textOf = (key: string, max: number): Kind<string> => ({
  read: (field) => {
    const text = field.text('Write it as a text.').trim();
    return text === '' ? field.fail(`"${key}" is empty. Remove it or enter a value.`) : text;
  },
  write: scalar,
  json: { type: 'string', minLength: 1 },
  words: 'text',
  bounds: { is: 'text', max },
});

const optional = { isOptional: true, absent: 'none' } as const;
const text = (key: string, help: string, max = 1000) => ({ key, kind: textOf(key, max), help, ...optional });
const reference = (key: string) =>
  ({
    ...text(key, 'A reference to a secret: `$env:NAME` or `$secret:NAME`'),
    kind: { ...textOf(key, 200), bounds: { is: 'text', max: 200, faultOf: referenceFault } },
  }) as const;
const referenceFault = (text: string): string | undefined =>
  isReference(text) ? undefined : 'This is not a reference such as $env:NAME or $secret:NAME.';

const hostFields: FieldsOf<HostSettings> = {
  ssh: text(
    'ssh',
    '`user@host:port` or a name from `~/.ssh/config`. Nothing is installed on an origin: `/proc` is read',
    300,
  ),
  keyFile: text('keyFile', 'Private key of `ssh`; without it, the SSH agent and the default keys are tried'),
  jump: text('jump', 'Jump hosts as in `ssh -J`', 300),
  nodeExporter: text('nodeExporter', 'Address of a node_exporter: source of the host’s figures without SSH'),
  prometheus: text('prometheus', 'Address of a Prometheus that scrapes the host, used without both'),
  instance: text('instance', 'Label of the host in that Prometheus', 300),
  process: text('process', 'Name of the media server’s process, if it differs from the family’s default', 64),
  gcLog: text('gcLog', 'A JVM’s GC log, followed over SSH'),
  config: text(
    'config',
    'Path of the server’s configuration, for the [preflight](preflight.md): WCS’s `conf` folder, else the main file',
  ),
  sshPassword: reference('sshPassword'),
  sshPassphrase: reference('sshPassphrase'),
  httpPassword: reference('httpPassword'),
  apiSecret: reference('apiSecret'),
  selfSigned: {
    key: 'selfSigned',
    kind: flag,
    help: '`true`: the certificate is not verified, and the console marks the link',
    write: 'Write true to accept its self-signed certificate.',
    ...optional,
  },
  allowCrossOrigin: {
    key: 'allowCrossOrigin',
    kind: flag,
    help:
      '`true`: redirects, and the `Location` of a WHIP or WHEP session, may point to another origin (scheme, host, ' +
      'port) than the address; otherwise that is a failure that names it. A redirect from http to https on the same ' +
      'host is always followed for API reads',
    write: 'Write true if it may refer to servers at other addresses.',
    ...optional,
  },
};

const seriesFault = (series: string): string | undefined =>
  isSeries(series)
    ? undefined
    : `Series "${series}" does not exist. Use one from docs/plans.md, or server:NAME for a custom figure.`;

const queries: Kind<Readonly<Record<string, string>>> = {
  read: (field) =>
    Object.fromEntries(
      [...field.map()].map(([series, query]): [string, string] => {
        const fault = seriesFault(series);
        if (fault !== undefined) query.fail(fault);
        return [series, query.text('Write the PromQL as a text.')];
      }),
    ),
  write: (value) =>
    flow(Object.fromEntries(Object.entries(value).map(([series, query]) => [series, JSON.stringify(query)]))),
  json: { type: 'object', additionalProperties: { type: 'string' } },
  words: 'map',
  bounds: { is: 'other', name: 'queries' },
};

const address = (key: string, help: string) =>
  text(key, `Address of a stream over ${help}, with \`{stream}\` in place of its name; overrides the family’s default`);

/** Addresses of an origin. */
const addressFields = {
  url: text('url', 'Address of the server’s API; for nginx-rtmp its stat page'),
  ws: text('ws', 'WCS: its WebSocket address, if not port 8080'),
  control: text('control', 'nginx-rtmp: its control module, if not beside the stat page'),
  whep: address('whep', 'WHEP'),
  whip: address('whip', 'WHIP'),
  rtmp: address('rtmp', 'RTMP'),
  hls: address('hls', 'HLS'),
  flv: address('flv', 'HTTP-FLV'),
  metrics: text('metrics', 'The server’s own Prometheus endpoint (LiveKit, SRS’s exporter)'),
  user: text('user', 'User of the API (HTTP basic); the password is a secret'),
  apiKey: text('apiKey', 'LiveKit’s API key; its API secret is a secret'),
};

/** The fields of a server under test. */
export const originFields: FieldsOf<OriginSettings> = {
  server: {
    key: 'server',
    kind: choice(serverFamilies),
    help: 'The kind of server; `livekit` includes OpenVidu 3, `openvidu` is OpenVidu 2. See [servers.md](servers.md)',
    write: 'Name the kind of server.',
  },
  ...addressFields,
  queries: {
    key: 'queries',
    kind: queries,
    help: 'PromQL by series, queried each second at `prometheus`',
    ...optional,
  },
  ...hostFields,
};

/** The fields of a load generator. */
export const testerFields: FieldsOf<TesterSettings> = {
  tester: {
    key: 'tester',
    kind: { ...choice(testerKinds), json: { anyOf: [choice(testerKinds).json, { type: 'string', pattern: '[@:]' }] } },
    help:
      '`local`: an agent on this machine; `ssh`: an agent uploaded over SSH; `wcs`: a WCS that pulls; or an address, ' +
      'for `ssh`',
    write: 'Name the kind of tester.',
  },
  url: text('url', '`wcs`: address of its REST API'),
  ...hostFields,
};

/** Keys that users try here and that belong in the keychain. */
const secretWords: readonly string[] = [...secretKinds, 'password', 'secret', 'token', 'passphrase', 'key'];
const isSecretKind = (key: string): boolean => (secretKinds as readonly string[]).includes(key);

function readNodes(field: PlanField): Record<string, NodeSettings> {
  const nodes = [...field.map()].map(([name, node]): [string, NodeSettings] => {
    const fault = nodeNameFault(name);
    if (fault !== undefined) node.fail(fault);
    return [name, readNode(node)];
  });
  return Object.fromEntries(nodes);
}

function readNode(node: PlanField): NodeSettings {
  const all = node.map();
  for (const [key, value] of all)
    if (secretWords.includes(key) && !(isSecretKind(key) && isReference(value.text('Write a reference.'))))
      value.fail(
        `Secrets must not be written into a plan or fleet file. Remove "${key}": the app stores secrets in the keychain, the command line reads them from the environment. References are allowed for ${secretKinds.join(', ')}, e.g. "$env:NAME" or "$secret:NAME".`,
      );
  const kinds = ['server', 'tester'].filter((kind) => all.has(kind));
  if (kinds.length !== 1)
    return node.fail('A node is either { server: ... } or { tester: ... }, e.g. { server: lab } or { tester: local }.');
  const settings =
    kinds[0] === 'server' ? readFields(node, mapOf(node, originFields), originFields, '') : readTester(node);
  const fault = settingsFault(settings);
  return fault === undefined ? settings : node.fail(fault);
}

function readTester(node: PlanField): TesterSettings {
  const given = mapOf(node, testerFields);
  const tester = given.get('tester');
  const named = tester?.text(`${testerFields.tester.write} ${choices(testerKinds)}`) ?? '';
  // `{ tester: qa@10.0.0.11 }` is short for kind and address.
  if (!/[@:]/.test(named) || given.has('ssh')) return readFields(node, given, testerFields, '');
  const { tester: _, ...hostOnly } = testerFields;
  return { tester: 'ssh', ...readFields(node, given, hostOnly, ''), ssh: named };
}

/** What a node lacks to be usable, one sentence; undefined if nothing. */
export function settingsFault(settings: NodeSettings): string | undefined {
  if ('server' in settings) {
    const { server, queries = {} } = settings;
    const unknown = Object.keys(queries)
      .map(seriesFault)
      .find((fault) => fault !== undefined);
    if (unknown !== undefined) return unknown;
    const addresses = Object.keys(addressFields) as Array<keyof typeof addressFields>;
    if (server === 'generic' && addresses.every((key) => settings[key] === undefined))
      return 'A generic server needs an address, e.g. whep: http://10.0.0.9:8080/whep/{stream}.';
    if (server !== 'generic' && server !== 'lab' && settings.url === undefined)
      return `Add its address, e.g. { server: ${server}, url: http://10.0.0.9 }.`;
    return undefined;
  }
  if (settings.tester === 'ssh' && settings.ssh === undefined)
    return 'Add its SSH address, e.g. { tester: ssh, ssh: qa@10.0.0.11 }.';
  if (settings.tester === 'wcs' && settings.url === undefined)
    return 'Add the address of its REST API, e.g. { tester: wcs, url: http://10.0.0.12:8081 }.';
  return undefined;
}

/** A node as YAML. */
export const writeNode = (settings: NodeSettings): string =>
  flow('server' in settings ? writeFields(originFields, settings) : writeFields(testerFields, settings));

/** A map of names and nodes. */
export const nodesKind: ReadKind<Record<string, NodeSettings>> = {
  read: readNodes,
  json: { type: 'object', additionalProperties: { anyOf: [jsonOf(originFields), jsonOf(testerFields)] } },
  words: 'map',
};
