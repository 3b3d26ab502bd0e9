/** The kind of a text in a run file, by its position. */
export type FieldKind =
  /** The program's own words, without which the file would not be readable. */
  | 'fixed'
  | 'node'
  | 'stream'
  | 'name'
  | 'note'
  | 'user'
  | 'secret'
  | 'file'
  | 'host'
  | 'login'
  | 'author'
  | 'runId'
  | 'text';

/** Keys from the root of a part; list indexes are omitted. */
export type FieldPath = readonly string[];

/** Keys whose values come from the program's own lists, anywhere. */
const fixedKeys: ReadonlySet<string> = new Set(
  (
    'state role server kind mark stage result comparison protocol fidelity transport tracks adaptiveStream preset direction series expectation mime ' +
    'secrets publish pull play serves measure what at rule keyType family identity uid writtenBy verdict causedBy rating measured'
  ).split(' '),
);
const nodeKeys: ReadonlySet<string> = new Set(['node', 'from', 'by', 'who', 'between', 'tester', 'testers', 'origin']);
const byKey: Readonly<Record<string, FieldKind>> = {
  stream: 'stream',
  tags: 'name',
  planName: 'name',
  note: 'note',
  user: 'user',
  participant: 'user',
  author: 'author',
  apiKey: 'secret',
  fingerprint: 'secret',
  keyFile: 'file',
  gcLog: 'file',
  inventory: 'file',
  kubeconfig: 'file',
  // Of testers in a cluster.
  context: 'host',
  namespace: 'host',
  image: 'host',
  ssh: 'login',
  hosts: 'login',
  jump: 'login',
  host: 'host',
  instance: 'host',
  // Of a tester group.
  members: 'host',
};

/** `parent` is the object that contains the text. */
export function fieldKind(path: FieldPath, parent: unknown): FieldKind {
  const key = path[path.length - 1] ?? '';
  const above = path[path.length - 2] ?? '';
  if (above === 'headers') return 'secret';
  // A site's names of pools and taints.
  if (above === 'nodeSelector' || above === 'tolerations')
    return key === 'operator' || key === 'effect' ? 'fixed' : 'host';
  if (key === 'pullPolicy' || above === 'resources') return 'fixed';
  if (key === 'id') return above === 'nodes' ? 'node' : path.length <= 2 ? 'runId' : 'fixed';
  // Node.js, the engine's runtime.
  if (key === 'node' && above === 'versions') return 'text';
  // Steps of a viewer are the program's words, like the phases of a run.
  const isStep = above === 'phases' || above === 'timeline';
  if (key === 'name' && above === 'missing') return 'host';
  if (key === 'name') return above === 'nodes' ? 'node' : isStep ? 'fixed' : 'name';
  // `lab`, `local`, `ssh` of a node's settings, and the kind of publisher, are the program's words.
  if (key === 'tester' && (path.includes('nodes') || above === 'settings')) return 'fixed';
  if (key === 'source' && above === 'publish') return 'fixed';
  // Of a node it is one of our actions; of a preflight finding a command with the site's names.
  if (key === 'fix' && above === 'nodes') return 'fixed';
  if (key === 'sentence' && isNote(parent)) return 'note';
  if (key === 'text' && above === 'annotation') return 'note';
  // Of a Prometheus: a site's names of machines and clusters.
  if (above === 'labels') return 'host';
  // A user-defined chart.
  if (above === 'custom' && key === 'title') return 'name';
  if (above === 'custom' && key === 'nodes') return 'node';
  if (fixedKeys.has(key)) return 'fixed';
  if (nodeKeys.has(key)) return 'node';
  return byKey[key] ?? 'text';
}

function isNote(parent: unknown): boolean {
  return typeof parent === 'object' && parent !== null && 'kind' in parent && parent.kind === 'note';
}

/** Whether the keys of the record at `path` are names of nodes. */
function hasNodeKeys(path: FieldPath): boolean {
  const key = path[path.length - 1];
  return key === 'weights' || (key === 'nodes' && path[path.length - 2] === 'plan');
}

/** A copy of `value` with every text passed through `change`, including keys that are node names. */
export function mapTexts(
  value: unknown,
  path: FieldPath,
  change: (text: string, field: FieldKind, path: FieldPath) => string,
  parent?: unknown,
): unknown {
  if (typeof value === 'string') return change(value, fieldKind(path, parent), path);
  if (Array.isArray(value)) return value.map((each: unknown) => mapTexts(each, path, change, parent));
  if (typeof value !== 'object' || value === null) return value;
  const isNamed = hasNodeKeys(path);
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      isNamed ? change(key, 'node', path) : key,
      mapTexts(each, [...path, key], change, value),
    ]),
  );
}
