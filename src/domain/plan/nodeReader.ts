import {
  nodeFlags,
  secretKinds,
  serverFamilies,
  testerKinds,
  type HostSettings,
  type NodeFlag,
  type NodeSettings,
  type OriginSettings,
  type SecretKind,
  type TesterSettings,
} from '../nodeSettings';
import { isReference } from '../secrets/references';
import type { PlanField } from './planField';
import { seriesDefinition } from '../series';

/** Reads nodes as a plan and a fleet's file describe them. Throws a `PlanError` at the first that is wrong. */

export const nodeNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Fields that are texts. A field that is new in the settings does not compile until it is named here. */
const hostTexts = keysOf<Exclude<keyof HostSettings, NodeFlag | SecretKind>>({
  ssh: true,
  keyFile: true,
  jump: true,
  nodeExporter: true,
  prometheus: true,
  instance: true,
  process: true,
  gcLog: true,
  config: true,
});
const originTexts = keysOf<Exclude<keyof OriginSettings, keyof HostSettings | 'server' | 'queries'>>({
  url: true,
  ws: true,
  control: true,
  whep: true,
  whip: true,
  rtmp: true,
  hls: true,
  flv: true,
  metrics: true,
  user: true,
  apiKey: true,
});

function keysOf<K extends string>(named: Readonly<Record<K, true>>): readonly K[] {
  return Object.keys(named) as K[];
}

/** Words that people try to put here and that belong in the keychain. */
const secretWords: readonly string[] = [...secretKinds, 'password', 'secret', 'token', 'passphrase', 'key'];

/** A map of names and nodes. */
export function readNodes(field: PlanField): Record<string, NodeSettings> {
  const nodes = [...field.map()].map(([name, node]): [string, NodeSettings] => {
    if (!nodeNamePattern.test(name))
      node.fail(`"${name}" can't be a node's name: letters, digits, ".", "_" and "-" only, at most 64.`);
    return [name, readNode(node)];
  });
  return Object.fromEntries(nodes);
}

function readNode(node: PlanField): NodeSettings {
  const all = node.map();
  for (const [key, value] of all)
    if (secretWords.includes(key) && !isNamedSecret(key, value))
      value.fail(
        `A secret has no place in a text that is passed on. Leave "${key}" out: the app keeps secrets in the keychain, the command line takes them from the environment. A reference can stand here for ${secretKinds.join(', ')}, e.g. "$env:NAME" or "$secret:NAME".`,
      );
  const kinds = ['server', 'tester'].filter((kind) => all.has(kind));
  if (kinds.length !== 1)
    return node.fail(
      'A node is either { server: ... } or { tester: ... }, e.g. { server: lab } or { tester: local }.',
    );
  return kinds[0] === 'server' ? readOrigin(node) : readTester(node);
}

function isNamedSecret(key: string, value: PlanField): boolean {
  return (secretKinds as readonly string[]).includes(key) && isReference(value.text('Write a reference.'));
}

function readOrigin(node: PlanField): OriginSettings {
  const fields = node.map(['server', ...originTexts, 'queries', ...hostTexts, ...nodeFlags, ...secretKinds]);
  const server = node
    .required(fields, 'server', 'Name the kind of server.')
    .oneOf(serverFamilies, 'Name the kind of server.');
  const settings: OriginSettings = {
    server,
    ...texts(fields, originTexts),
    ...texts(fields, hostTexts),
    ...texts(fields, secretKinds),
    ...flags(fields),
    ...queries(fields.get('queries')),
  };
  if (server === 'generic' && !originTexts.some((key) => settings[key] !== undefined))
    node.fail('A generic server needs an address, e.g. whep: http://10.0.0.9:8080/whep/{stream}.');
  if (server !== 'generic' && server !== 'lab' && settings.url === undefined)
    node.fail(`Say where it answers, e.g. { server: ${server}, url: http://10.0.0.9 }.`);
  return settings;
}

function readTester(node: PlanField): TesterSettings {
  const fields = node.map(['tester', 'url', ...hostTexts, ...nodeFlags, ...secretKinds]);
  const field = node.required(fields, 'tester', 'Say where the tester is.');
  const text = field.text(`Say where the tester is. Possible: ${testerKinds.join(', ')}.`);
  const host = {
    ...texts<'url' | (typeof hostTexts)[number]>(fields, ['url', ...hostTexts]),
    ...texts(fields, secretKinds),
    ...flags(fields),
  };
  // `{ tester: qa@10.0.0.11 }` is what people write; it means the same as naming the kind and the address.
  if (/[@:]/.test(text) && host.ssh === undefined) return { tester: 'ssh', ...host, ssh: text };
  const tester = field.oneOf(testerKinds, 'Say where the tester is.');
  if (tester === 'ssh' && host.ssh === undefined)
    node.fail('Say how it is reached, e.g. { tester: ssh, ssh: qa@10.0.0.11 }.');
  if (tester === 'wcs' && host.url === undefined)
    node.fail('Say where its REST API answers, e.g. { tester: wcs, url: http://10.0.0.12:8081 }.');
  return { tester, ...host };
}

function texts<K extends string>(
  fields: ReadonlyMap<string, PlanField>,
  keys: readonly K[],
): Partial<Record<K, string>> {
  const read: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const text = fields.get(key)?.text('Write it as a text.').trim();
    if (text === '') fields.get(key)?.fail(`"${key}" is empty. Leave it out or write its value.`);
    if (text !== undefined) read[key] = text;
  }
  return read;
}

const flagWords: Readonly<Record<NodeFlag, string>> = {
  selfSigned: 'Write true when its own certificate is to be accepted.',
  allowCrossOrigin: 'Write true when it may lead to servers of other addresses.',
};

function flags(fields: ReadonlyMap<string, PlanField>): Partial<Record<NodeFlag, boolean>> {
  const read: Partial<Record<NodeFlag, boolean>> = {};
  for (const key of nodeFlags) {
    const word = fields.get(key)?.flag(flagWords[key]);
    if (word !== undefined) read[key] = word;
  }
  return read;
}

function queries(field: PlanField | undefined): { queries?: Record<string, string> } {
  if (!field) return {};
  const read = [...field.map()].map(([series, query]): [string, string] => {
    if (!seriesDefinition(series))
      query.fail(
        `There is no series "${series}". Name one of docs/plans.md, or server:NAME for a figure of your own.`,
      );
    return [series, query.text('Write the PromQL as a text.')];
  });
  return { queries: Object.fromEntries(read) };
}
