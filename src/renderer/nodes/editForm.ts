import type { NodeView } from '../../domain/node';
import {
  isOriginSettings,
  nodeFlags,
  secretKinds,
  type NodeFlag,
  type NodeSecrets,
  type NodeSettings,
  type OriginSettings,
  type SecretKind,
  type ServerFamily,
  type TesterSettings,
} from '../../domain/nodeSettings';
import { referencesIn } from '../../domain/secrets/references';
import { seriesDefinition } from '../../domain/series';
import { nameProblem, raisedFlags } from './addForm';

type TextKey = Exclude<
  keyof OriginSettings | keyof TesterSettings,
  'server' | 'tester' | NodeFlag | SecretKind | 'queries'
>;

/** What the fields of an edited node hold, as typed. */
export interface EditForm extends Readonly<Record<NodeFlag, boolean>> {
  readonly name: string;
  readonly server?: ServerFamily;
  readonly texts: Readonly<Partial<Record<TextKey, string>>>;
  /** Rows of the list, in its order; one that is empty throughout is none. */
  readonly queries: readonly QueryRow[];
  /** Typed anew; an empty text forgets the kept one, an absent one leaves it. */
  readonly secrets: NodeSecrets;
  /** Typed anew, by the names in `$secret:NAME`. */
  readonly named: Readonly<Record<string, string>>;
}

/** A series that is asked for at a Prometheus, and how. */
export interface QueryRow {
  readonly series: string;
  readonly query: string;
}

export interface EditField {
  readonly key: TextKey;
  readonly label: string;
  readonly placeholder?: string;
}

const mediaFields: readonly EditField[] = [
  { key: 'whep', label: 'WHEP', placeholder: 'http://host/whep/{stream}' },
  { key: 'whip', label: 'WHIP', placeholder: 'http://host/whip/{stream}' },
  { key: 'rtmp', label: 'RTMP', placeholder: 'rtmp://host/live/{stream}' },
  { key: 'hls', label: 'HLS', placeholder: 'http://host/hls/{stream}.m3u8' },
  { key: 'flv', label: 'HTTP-FLV', placeholder: 'http://host/live/{stream}.flv' },
];
const apiField: EditField = { key: 'url', label: 'Address of its API', placeholder: 'http://host:port' };
const metricsField: EditField = {
  key: 'metrics',
  label: 'Its own metrics',
  placeholder: 'http://host:9090/metrics',
};
const socketField: EditField = { key: 'ws', label: 'WebSocket', placeholder: 'ws://host:8080' };
const controlField: EditField = {
  key: 'control',
  label: 'Control module',
  placeholder: 'http://host/control',
};
const userField: EditField = { key: 'user', label: 'User of its API' };
const apiKeyField: EditField = { key: 'apiKey', label: 'API key' };
const hostFields: readonly EditField[] = [
  { key: 'ssh', label: 'SSH', placeholder: 'user@host' },
  { key: 'keyFile', label: 'SSH key file', placeholder: '~/.ssh/id_ed25519' },
  { key: 'jump', label: 'Jump host', placeholder: 'user@gate.example' },
  { key: 'process', label: "Server's process", placeholder: 'srs, java' },
  { key: 'nodeExporter', label: 'node_exporter', placeholder: 'http://host:9100' },
  { key: 'gcLog', label: 'GC log on the host', placeholder: '/var/log/server/gc.log' },
  { key: 'config', label: "Server's configuration", placeholder: '/etc/nginx/nginx.conf' },
  { key: 'prometheus', label: 'Prometheus', placeholder: 'http://prometheus:9090' },
  { key: 'instance', label: 'Instance in Prometheus', placeholder: 'host:9100' },
];

/** The fields that matter for a node of this kind, and those that are filled anyway. */
export function editFields(settings: NodeSettings): {
  readonly server: readonly EditField[];
  readonly host: readonly EditField[];
} {
  if (!isOriginSettings(settings))
    return {
      server: settings.tester === 'wcs' ? [apiField] : [],
      host: hostFields.filter(({ key }) => key !== 'gcLog'),
    };
  const usual: Readonly<Record<ServerFamily, readonly EditField[]>> = {
    lab: mediaFields.slice(0, 2),
    generic: [...mediaFields, metricsField],
    livekit: [apiField, apiKeyField, metricsField],
    openvidu: [apiField, userField],
    wcs: [apiField, userField, socketField, ...mediaFields],
    srs: [apiField, userField, metricsField, ...mediaFields],
    'nginx-rtmp': [apiField, userField, controlField, ...mediaFields.slice(2)],
  };
  const all = [apiField, userField, apiKeyField, socketField, controlField, metricsField, ...mediaFields];
  const shown = usual[settings.server];
  const server = all.filter(
    (field) => shown.includes(field) || settings[field.key as keyof OriginSettings] !== undefined,
  );
  return { server, host: hostFields };
}

export function editFormOf(node: NodeView, settings: NodeSettings): EditForm {
  const texts = Object.fromEntries(
    Object.entries(settings).filter(
      ([key, value]) => typeof value === 'string' && key !== 'server' && key !== 'tester',
    ),
  ) as EditForm['texts'];
  return {
    name: node.name,
    server: isOriginSettings(settings) ? settings.server : undefined,
    texts,
    ...(Object.fromEntries(nodeFlags.map((key) => [key, settings[key] ?? false])) as Record<
      NodeFlag,
      boolean
    >),
    queries: Object.entries((isOriginSettings(settings) && settings.queries) || {}).map(
      ([series, query]) => ({
        series,
        query,
      }),
    ),
    secrets: {},
    named: {},
  };
}

/** The settings that the form describes; whatever has no field stays as it was. */
export function editedSettings(form: EditForm, before: NodeSettings): NodeSettings {
  const kept = isOriginSettings(before)
    ? { server: form.server ?? before.server, ...queriesOf(form) }
    : { tester: before.tester };
  const texts = Object.fromEntries(
    Object.entries(form.texts)
      .map(([key, text]): [string, string] => [key, text.trim()])
      .filter(([, text]) => text !== ''),
  );
  return { ...kept, ...texts, ...raisedFlags(form) };
}

/** Names of the secrets that the fields refer to, e.g. TOKEN of `$secret:TOKEN`. */
export function namedSecrets({ texts }: EditForm): readonly string[] {
  const references = Object.values(texts).flatMap((text) => referencesIn(text));
  return [...new Set(references.filter(({ kind }) => kind === 'secret').map(({ name }) => name))];
}

function filledRows({ queries }: EditForm): readonly QueryRow[] {
  return queries
    .map(({ series, query }) => ({ series: series.trim(), query: query.trim() }))
    .filter(({ series, query }) => series !== '' || query !== '');
}

function queriesOf(form: EditForm): Pick<OriginSettings, 'queries'> {
  const rows = filledRows(form);
  if (rows.length === 0) return {};
  return { queries: Object.fromEntries(rows.map(({ series, query }) => [series, query])) };
}

/** Whether a node of this kind has a place for queries: a server of no known family, or one that has some anyway. */
export function takesQueries(settings: NodeSettings): boolean {
  return isOriginSettings(settings) && (settings.server === 'generic' || settings.queries !== undefined);
}

/** What is wrong with the list of queries; one sentence. */
export function queriesProblem(form: EditForm): string | undefined {
  const rows = filledRows(form);
  for (const [index, { series, query }] of rows.entries()) {
    if (series === '') return 'Name the series that the query is for, e.g. cpuPercent.';
    if (query === '') return `Write the PromQL of "${series}", or remove its row.`;
    if (!seriesDefinition(series))
      return `There is no series "${series}". Choose one from the list, or call a figure of your own server:NAME.`;
    if (rows.findIndex((each) => each.series === series) !== index) return `"${series}" is there twice.`;
  }
  if (rows.length > 0 && !form.texts.prometheus?.trim())
    return 'Say at which Prometheus the queries are asked.';
  return undefined;
}

/** Why the name can't be kept; one sentence. `taken` without the node's own name. */
export function editProblem(form: EditForm, taken: readonly string[]): string | undefined {
  return nameProblem(form.name.trim(), taken);
}

/** Secrets that a node of this kind may have, those that are kept anyway included. */
export function secretFields(settings: NodeSettings, kept: readonly SecretKind[]): readonly SecretKind[] {
  const fits: Readonly<Record<SecretKind, boolean>> = {
    sshPassword: true,
    sshPassphrase: true,
    httpPassword: isOriginSettings(settings)
      ? settings.server !== 'livekit' && settings.server !== 'lab'
      : settings.tester === 'wcs',
    apiSecret: isOriginSettings(settings) && settings.server === 'livekit',
  };
  return secretKinds.filter((kind) => fits[kind] || kept.includes(kind));
}
