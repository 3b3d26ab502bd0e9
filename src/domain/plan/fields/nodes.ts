import {
  nodeFlags,
  perSecretKind,
  reachKeys,
  secretKinds,
  secretRows,
  isGroup,
  maxMembers,
  memberWeights,
  testerKinds,
  type GroupSettings,
  type HostSettings,
  type NodeSettings,
  type OriginSettings,
  type SecretKind,
  type TesterSettings,
} from '../../model/nodeSettings';
import { streamAddresses, streamAddressKeys, type StreamAddressKey } from '../../model/addressKeys';
import { serverFamilies } from '../../model/serverFamilies';
import { hostFault } from '../../node/inventory';
import { isReference } from '../../secrets/references';
import { renamedSeries } from '../../series/renamed';
import { isSeries } from '../../series/series';
import { choices } from '../../text/closestMatch';
import type { PlanField } from '../planField';
import { nodeNameFault } from '../planNames';
import { flow } from '../yamlText';
import { jsonOf, mapOf, only, readFields, writeFields, type FieldOf, type FieldsOf } from './fields';
import { choice, flag, listOf, text, wholeNumber, type Kind, type ReadKind } from './kind';
import { kubernetesFault, kubernetesFields } from './kubernetes';

/** Nodes of a plan or a fleet file. */

const optional = { isOptional: true, absent: 'none' } as const;

type TextField = Pick<FieldOf<string>, 'label' | 'placeholder' | 'help'> & { readonly max?: number };
/** Optional texts, by their keys. */
const texts = <Key extends string>(
  fields: Readonly<Record<Key, TextField>>,
): Readonly<Record<Key, FieldOf<string> & typeof optional>> =>
  Object.fromEntries(
    Object.entries<TextField>(fields).map(([key, { max = 1000, ...described }]) => [
      key,
      { key, kind: text(max), write: 'Write it as a text, or remove it.', ...described, ...optional },
    ]),
  ) as Record<Key, FieldOf<string> & typeof optional>;

const referenceFault = (text: string): string | undefined =>
  isReference(text) ? undefined : 'This is not a reference such as $env:NAME or $secret:NAME.';
const secret = (key: SecretKind) =>
  ({
    key,
    kind: { ...text(200), bounds: { is: 'text', max: 200, faultOf: referenceFault } },
    label: secretRows[key].label,
    help: 'A reference to a secret: `$env:NAME` or `$secret:NAME`',
    ...optional,
  }) as const;

const hostFields: FieldsOf<HostSettings> = {
  ...texts({
    ssh: {
      label: 'SSH',
      placeholder: 'user@host',
      help: '`user@host:port` or a name from `~/.ssh/config`. Nothing is installed on an origin: `/proc` is read',
      max: 300,
    },
    keyFile: {
      label: 'SSH key file',
      placeholder: '~/.ssh/id_ed25519',
      help: 'Private key of `ssh`; without it, the SSH agent and the default keys are tried',
    },
    jump: { label: 'Jump host', placeholder: 'user@gate.example', help: 'Jump hosts as in `ssh -J`', max: 300 },
    nodeExporter: {
      label: 'node_exporter',
      placeholder: 'http://host:9100',
      help: 'Address of a node_exporter or windows_exporter: source of the host’s figures without SSH',
    },
    prometheus: {
      label: 'Prometheus',
      placeholder: 'http://prometheus:9090',
      help: 'Address of a Prometheus that scrapes the host, used without both',
    },
    instance: {
      label: 'Prometheus instance',
      placeholder: 'host:9100',
      help: 'Label of the host in that Prometheus; `host:9100{cluster="eu"}` where several hosts have it',
      max: 300,
    },
    process: {
      label: 'Server process',
      placeholder: 'srs, java',
      help: 'Name of the media server’s process, if it differs from the family’s default',
      max: 64,
    },
    gcLog: {
      label: 'GC log path',
      placeholder: '/var/log/server/gc.log',
      help: 'A JVM’s GC log, followed over SSH',
    },
    config: {
      label: 'Server config file',
      placeholder: '/etc/nginx/nginx.conf',
      help: 'Path of the server’s configuration, for the [preflight](preflight.md): WCS’s `conf` folder, else the main file',
    },
    proxy: {
      label: 'HTTP proxy',
      placeholder: 'http://proxy:3128',
      help: 'HTTP proxy for API, signalling and media over HTTP of this node, or `none`; without it, that of the [variables](environment.md)',
    },
  }),
  ...perSecretKind(secret),
  selfSigned: {
    key: 'selfSigned',
    kind: flag,
    label: 'Accept a self-signed certificate',
    help: '`true`: the certificate is not verified, and the console marks the link',
    write: 'Write true to accept its self-signed certificate.',
    ...optional,
  },
  allowCrossOrigin: {
    key: 'allowCrossOrigin',
    kind: flag,
    label: 'Allow redirects to other origins',
    help:
      '`true`: redirects, and the `Location` of a WHIP or WHEP session, may point to another origin (scheme, host, ' +
      'port) than the address; otherwise that is a failure that names it. Also any number of viewers may send to other hosts ' +
      'that answers name for media; otherwise the first 10 until one has connected. A redirect from http to https on the same ' +
      'host is always followed for API reads. A login or token follows none to another origin',
    write: 'Write true if it may refer to servers at other addresses.',
    ...optional,
  },
};

const seriesFault = (series: string): string | undefined =>
  isSeries(series)
    ? undefined
    : `Series "${series}" does not exist. Use one from docs/series.md, or server:NAME for a custom figure.`;

const queries: Kind<Readonly<Record<string, string>>> = {
  read: (field) =>
    Object.fromEntries(
      [...field.map(undefined, { renamed: renamedSeries })].map(([series, query]): [string, string] => {
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

const streamField = (key: StreamAddressKey): TextField => {
  const { name, example, help } = streamAddresses[key];
  const usual = `Address of a stream over ${name}, with \`{stream}\` in place of its name; overrides the family’s default`;
  return { label: name, placeholder: example, help: help ?? usual };
};

/** Addresses of an origin. */
const addressFields = texts({
  url: {
    label: 'API address',
    placeholder: 'http://host:port',
    help: 'Address of the server’s API; for nginx-rtmp its stat page',
  },
  ws: { label: 'WebSocket', placeholder: 'ws://host:8080', help: 'WCS: its WebSocket address, if not port 8080' },
  control: {
    label: 'Control module',
    placeholder: 'http://host/control',
    help: 'nginx-rtmp: its control module, if not beside the stat page',
  },
  ...(Object.fromEntries(streamAddressKeys.map((key) => [key, streamField(key)])) as Record<
    StreamAddressKey,
    TextField
  >),
  metrics: {
    label: 'Metrics address',
    placeholder: 'http://host:9090/metrics',
    help: 'The server’s own Prometheus endpoint (LiveKit, SRS’s exporter)',
  },
  familyFile: {
    label: 'Family file',
    placeholder: 'my-server.yaml',
    help: 'For `server: file`: the file that describes the server, or the name of one in the settings, see [families.md](families.md)',
  },
  user: { label: 'API user', help: 'User of the API (HTTP basic); the password is a secret' },
  apiKey: { label: 'API key', help: 'LiveKit’s API key; its API secret is a secret' },
});

/** The fields of a server under test. */
export const originFields: FieldsOf<OriginSettings> = {
  server: {
    key: 'server',
    kind: choice(serverFamilies),
    label: 'Server',
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

/** The fields of a tester group. */
const groupFields: FieldsOf<GroupSettings> = {
  hosts: {
    key: 'hosts',
    kind: listOf({ ...text(300), bounds: { is: 'text', max: 300, faultOf: hostFault } }, 'Name a host.', maxMembers),
    label: 'Hosts',
    placeholder: 'load-1\nload-2',
    help: 'A tester group: SSH addresses of its members, as in `ssh`. They are one tester in `by`, and share its viewers. `user` is that of hosts without one',
    write: 'List SSH addresses, e.g. [load-1, qa@10.0.0.12].',
    ...optional,
  },
  ...texts({
    inventory: {
      label: 'Inventory file',
      placeholder: 'hosts.txt, hosts.ini#load',
      help:
        'Instead of `hosts`: a file with one host a line and `#` comments, or an Ansible inventory (INI) and a group ' +
        'of it, e.g. `hosts.ini#load`',
    },
    user: { label: 'SSH user', help: 'SSH user of the hosts of a group that have none of their own', max: 64 },
  }),
  atLeast: {
    key: 'atLeast',
    kind: wholeNumber({ min: 1, max: maxMembers }),
    label: 'Start with at least',
    unit: 'members',
    help: 'Of a group: a run starts with this many ready members, and the verdict states it',
    write: 'Write the number of members, e.g. 18.',
    isOptional: true,
    absent: 'all',
  },
  weights: {
    key: 'weights',
    kind: choice(memberWeights),
    label: 'Viewers per member',
    help:
      'Of a group: `equal`, or `measured`: in proportion to the viewers that each member can run by its self-test, ' +
      'see [performance.md](performance.md#how-many-viewers-a-tester-can-run)',
    write: 'Choose how viewers are split.',
    isOptional: true,
    absent: '`equal`',
  },
};

/** The fields of a load generator. */
export const testerFields: FieldsOf<TesterSettings> = {
  tester: {
    key: 'tester',
    kind: { ...choice(testerKinds), json: { anyOf: [choice(testerKinds).json, { type: 'string', pattern: '[@:]' }] } },
    help:
      '`local`: an agent on this machine; `ssh`: an agent uploaded over SSH; `wcs`: a WCS that pulls; `kubernetes`: ' +
      'pods of a cluster; or an address, for `ssh`',
    write: 'Name the kind of tester.',
  },
  url: { ...addressFields.url, help: '`wcs`: address of its REST API' },
  ...groupFields,
  ...kubernetesFields,
  ...hostFields,
};

/** What a probe of an address needs, besides secrets. */
export const reachFields = only(originFields, [...reachKeys, ...nodeFlags]);

/** Keys that users try here and that belong in the keychain. */
const secretWords: readonly string[] = [...secretKinds, 'password', 'secret', 'token', 'passphrase', 'key'];
const isSecretKind = (key: string): boolean => (secretKinds as readonly string[]).includes(key);

function readNodes(field: PlanField): Record<string, NodeSettings> {
  const nodes = new Map<string, NodeSettings>();
  for (const [written, node] of field.map()) {
    const name = written.normalize('NFC');
    const fault = nodeNameFault(name);
    if (fault !== undefined) node.fail(fault);
    if (nodes.has(name)) node.fail(`"${name}" occurs twice, once with separate accents. Remove one of them.`);
    nodes.set(name, readNode(node));
  }
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
  const ofGroup = kubernetesFault(settings) ?? groupFault(settings);
  if (ofGroup !== undefined) return ofGroup;
  if (settings.tester === 'ssh' && settings.ssh === undefined && !isGroup(settings))
    return 'Add its SSH address, e.g. { tester: ssh, ssh: qa@10.0.0.11 }.';
  if (settings.tester === 'wcs' && settings.url === undefined)
    return 'Add the address of its REST API, e.g. { tester: wcs, url: http://10.0.0.12:8081 }.';
  return undefined;
}

/** What is wrong with the settings of a tester group, or with those of a group on another tester. */
function groupFault(settings: TesterSettings): string | undefined {
  const { tester, ssh, hosts, inventory, atLeast } = settings;
  if (!isGroup(settings)) {
    const alone = Object.keys(groupFields).find((key) => settings[key as keyof GroupSettings] !== undefined);
    return alone && `"${alone}" is of a tester group; add its hosts, e.g. hosts: [load-1, load-2].`;
  }
  if (tester === 'kubernetes') return strayKey(settings);
  if (tester !== 'ssh') return `Hosts are of a tester over SSH, not of ${tester}; write { tester: ssh, hosts: [...] }.`;
  if (ssh !== undefined) return 'A tester has either one address in "ssh", or several in "hosts" or "inventory".';
  if (hosts !== undefined && inventory !== undefined) return 'Write either "hosts" or "inventory".';
  if (!hosts) return undefined;
  if (hosts.length === 0) return 'A tester group has at least one host.';
  const twice = hosts.find((host, place) => hosts.indexOf(host) !== place);
  if (twice !== undefined) return `${twice} is listed twice; a host runs one agent.`;
  return atLeast !== undefined && atLeast > hosts.length
    ? `A group of ${hosts.length} can't start with at least ${atLeast}.`
    : undefined;
}

/** Settings of a host are of no use for pods. */
function strayKey(settings: TesterSettings): string | undefined {
  const keys = ['hosts', 'inventory', 'user', 'weights', 'ssh', 'keyFile', 'jump', 'url'] as const;
  const stray = keys.find((key) => settings[key] !== undefined);
  return stray && `"${stray}" is not of testers in a cluster; remove it.`;
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
