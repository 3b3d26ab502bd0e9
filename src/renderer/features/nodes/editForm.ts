import type { QueryRow } from '../../parts/nodes/queryRow';
import type { NodeView } from '../../../domain/model/node';
import type { KubernetesSettings } from '../../../domain/model/kubernetesSettings';
import {
  isGroup,
  isOriginSettings,
  mayHaveSecret,
  nodeFlags,
  secretKinds,
  type NodeFlag,
  type NodeSecrets,
  type NodeSettings,
  type OriginSettings,
  type SecretKind,
  type TesterSettings,
} from '../../../domain/model/nodeSettings';
import { traitsOf, type ServerFamily } from '../../../domain/model/serverFamilies';
import { referencesIn } from '../../../domain/secrets/references';
import { seriesDefinition } from '../../../domain/series/series';
import { addressFields, nameProblem, raisedFlags } from './addForm';

/** Settings of testers in a cluster without a field here. */
type ClusterKey = Exclude<keyof KubernetesSettings, (typeof clusterKeys)[number]>;
const clusterKeys = ['context', 'namespace', 'image', 'kubeconfig'] as const satisfies ReadonlyArray<
  keyof KubernetesSettings
>;

type TextKey = Exclude<
  keyof OriginSettings | keyof TesterSettings,
  'server' | 'tester' | NodeFlag | SecretKind | 'queries' | 'hosts' | 'atLeast' | 'weights' | ClusterKey
>;

/** Values of the edit fields of a node, as typed. */
export interface EditForm extends Readonly<Record<NodeFlag, boolean>> {
  readonly name: string;
  readonly server?: ServerFamily;
  readonly texts: Readonly<Partial<Record<TextKey, string>>>;
  /** Rows of the list, in order; empty rows are ignored. */
  readonly queries: readonly QueryRow[];
  /** New values; an empty text removes the saved secret, an absent one keeps it. */
  readonly secrets: NodeSecrets;
  /** New values, by the names in `$secret:NAME`. */
  readonly named: Readonly<Record<string, string>>;
}

const loginKeys = ['user', 'apiKey'] as const satisfies readonly TextKey[];
const hostKeys = [
  'ssh',
  'keyFile',
  'jump',
  'process',
  'nodeExporter',
  'gcLog',
  'config',
  'proxy',
  'prometheus',
  'instance',
] as const satisfies readonly TextKey[];

/** The texts for a node of this kind, and other filled ones. */
export function editFields(settings: NodeSettings): {
  readonly server: readonly TextKey[];
  readonly host: readonly TextKey[];
} {
  if (!isOriginSettings(settings)) {
    if (settings.tester === 'kubernetes') return { server: clusterKeys, host: [] };
    if (isGroup(settings))
      return { server: settings.inventory === undefined ? [] : ['inventory'], host: ['user', 'keyFile', 'jump'] };
    return { server: settings.tester === 'wcs' ? ['url'] : [], host: hostKeys.filter((key) => key !== 'gcLog') };
  }
  const { settings: usual = [] } = traitsOf(settings.server);
  const has = (key: (typeof loginKeys)[number] | 'familyFile'): boolean =>
    usual.includes(key) || settings[key] !== undefined;
  const addresses = addressFields(settings);
  return {
    server: [
      ...(['familyFile'] as const).filter(has),
      ...addresses.filter((key) => key === 'url'),
      ...loginKeys.filter(has),
      ...addresses.filter((key) => key !== 'url'),
    ],
    host: hostKeys,
  };
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
    ...(Object.fromEntries(nodeFlags.map((key) => [key, settings[key] ?? false])) as Record<NodeFlag, boolean>),
    queries: Object.entries((isOriginSettings(settings) && settings.queries) || {}).map(([series, query]) => ({
      series,
      query,
    })),
    secrets: {},
    named: {},
  };
}

/** The settings that the form describes; settings without a field are kept. */
export function editedSettings(form: EditForm, before: NodeSettings): NodeSettings {
  const kept = isOriginSettings(before)
    ? { server: form.server ?? before.server, ...queriesOf(form) }
    : groupOf(before);
  const texts = Object.fromEntries(
    Object.entries(form.texts)
      .map(([key, text]): [string, string] => [key, text.trim()])
      .filter(([, text]) => text !== ''),
  );
  return { ...kept, ...texts, ...raisedFlags(form) };
}

/** What a tester keeps: its kind, and what is neither a text nor a switch of the form. */
function groupOf(settings: TesterSettings): TesterSettings {
  const flags: readonly string[] = nodeFlags;
  const kept = Object.entries(settings).filter(([key, value]) => typeof value !== 'string' && !flags.includes(key));
  const { tester, weights } = settings;
  return { ...Object.fromEntries(kept), tester, ...(weights === undefined ? {} : { weights }) };
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

/** Whether the form lists queries: for a generic server, or one that has some. */
export function supportsQueries(settings: NodeSettings): boolean {
  return isOriginSettings(settings) && (settings.server === 'generic' || settings.queries !== undefined);
}

/** Problem of the list of queries; one sentence. */
export function queriesProblem(form: EditForm): string | undefined {
  const rows = filledRows(form);
  for (const [index, { series, query }] of rows.entries()) {
    if (series === '') return 'Enter the series of the query, e.g. cpuPercent.';
    if (query === '') return `Enter the PromQL of "${series}", or remove its row.`;
    if (!seriesDefinition(series))
      return `Unknown series "${series}". Choose one from the list, or use server:NAME for a custom metric.`;
    if (rows.findIndex((row) => row.series === series) !== index) return `Duplicate series "${series}".`;
  }
  if (rows.length > 0 && !form.texts.prometheus?.trim()) return 'Set the Prometheus address for the queries.';
  return undefined;
}

/** Why the name can't be saved; one sentence. `taken` without the node's own name. */
export function editProblem(form: EditForm, taken: readonly string[]): string | undefined {
  return nameProblem(form.name.trim(), taken);
}

/** Secrets that a node of this kind may have, including other saved ones. */
export function secretFields(settings: NodeSettings, kept: readonly SecretKind[]): readonly SecretKind[] {
  return secretKinds.filter((kind) => mayHaveSecret(settings, kind) || kept.includes(kind));
}
