/** What a text of a run file is, by where it stands. */
export type FieldKind =
  /** Words of the program's own, which the file would not be readable without. */
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

/** Keys from the root of a part; places in lists are left out. */
export type FieldPath = readonly string[];

/** Keys whose values come from lists of the program's own, wherever they stand. */
const fixedKeys: ReadonlySet<string> = new Set(
  (
    'state role server kind mark stage result comparison protocol realism direction remedy series expectation mime ' +
    'secrets publish pull play serves measure what at rule keyType family identity uid writtenBy verdict causedBy'
  ).split(' '),
);
const nodeKeys: ReadonlySet<string> = new Set([
  'node',
  'from',
  'by',
  'who',
  'between',
  'tester',
  'testers',
  'origin',
]);
const byKey: Readonly<Record<string, FieldKind>> = {
  stream: 'stream',
  tags: 'name',
  planName: 'name',
  note: 'note',
  user: 'user',
  author: 'author',
  apiKey: 'secret',
  fingerprint: 'secret',
  keyFile: 'file',
  gcLog: 'file',
  ssh: 'login',
  jump: 'login',
  host: 'host',
  instance: 'host',
};

/** `parent` is the object that holds the text. */
export function fieldKind(path: FieldPath, parent: unknown): FieldKind {
  const key = path[path.length - 1] ?? '';
  const above = path[path.length - 2] ?? '';
  if (key === 'id') return above === 'nodes' ? 'node' : path.length <= 2 ? 'runId' : 'fixed';
  // Node.js, by which the engine runs.
  if (key === 'node' && above === 'versions') return 'text';
  // Steps of a viewer are words of the program, like the phases of a run.
  const isStep = above === 'phases' || above === 'timeline';
  if (key === 'name') return above === 'nodes' ? 'node' : isStep ? 'fixed' : 'name';
  // `lab`, `local`, `ssh` of a node's settings, and who publishes what, are words of the program.
  if (key === 'tester' && (path.includes('nodes') || above === 'settings')) return 'fixed';
  if (key === 'source' && above === 'publish') return 'fixed';
  if (key === 'sentence' && isNote(parent)) return 'note';
  if (key === 'text' && above === 'annotation') return 'note';
  // Of a Prometheus: what a site calls its machines and clusters.
  if (above === 'labels') return 'host';
  // A chart that a person put together.
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
export function hasNodeKeys(path: FieldPath): boolean {
  const key = path[path.length - 1];
  return key === 'weights' || (key === 'nodes' && path[path.length - 2] === 'plan');
}

/** A copy of `value` in which every text went through `change`; keys that are names of nodes too. */
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
