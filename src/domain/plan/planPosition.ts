import { isCollection, isMap, isPair, isScalar, isSeq, type Node } from 'yaml';
import { planDocument } from './planDocument';

export interface PlanPosition {
  /** Both from 1. */
  readonly line: number;
  readonly column: number;
}

/** Lists of a plan that its text has under other names, or in the list of audiences. */
const written: ReadonlyArray<readonly [RegExp, string]> = [
  [/^thresholds\.\d+/, 'expect'],
  [/^delay\b/, 'expect.delay'],
  [/^stopWhen\b/, 'stop'],
  [/^pull\b/, 'pull.0'],
];

/** The fields of the text that a path of a plan may be at, the most likely one first. */
function placesOf(path: string): readonly string[] {
  const [, place, rest = ''] = /^also\.(\d+)(.*)$/.exec(path) ?? [];
  if (place !== undefined) return [`pull.${Number(place) + 1}${rest}`];
  return [path, ...written.flatMap(([name, now]) => (name.test(path) ? [path.replace(name, now)] : []))];
}

/** Where a field of a plan is in its text, or what it is part of, by its path such as `pull.by.0`. */
export function positionIn(text: string): (path: string) => PlanPosition {
  const { document, lines } = planDocument(text);
  return (path) => {
    const candidates = placesOf(path).map((place) => nodeAt(document.contents, place.split('.')));
    const [best] = candidates.sort((a, b) => b.depth - a.depth);
    const { line, col } = lines.linePos(best?.offset ?? 0);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
}

/** The deepest part of a path that exists: the value, or the key of a value that is itself a collection. */
function nodeAt(root: Node | null, keys: readonly string[]): { readonly depth: number; readonly offset: number } {
  let node: unknown = root;
  let [depth, offset] = [0, root?.range?.[0] ?? 0];
  while (depth < keys.length && isCollection(node)) {
    // Names of nodes may contain dots.
    const step = isMap(node) ? inMap(node.items, keys.slice(depth)) : undefined;
    const item = isSeq(node) ? node.items[Number(keys[depth])] : step?.value;
    if (item === undefined || (isMap(node) && !step)) break;
    node = item;
    depth += step?.taken ?? 1;
    offset = (isScalar(item) ? item.range?.[0] : undefined) ?? step?.offset ?? (item as Node).range?.[0] ?? offset;
  }
  return { depth, offset };
}

function inMap(items: readonly unknown[], keys: readonly string[]) {
  for (let taken = keys.length; taken > 0; taken -= 1) {
    const name = keys.slice(0, taken).join('.');
    for (const pair of items)
      if (isPair(pair) && isScalar(pair.key) && String(pair.key.value) === name)
        return { taken, value: pair.value ?? pair.key, offset: pair.key.range?.[0] };
  }
  return undefined;
}
