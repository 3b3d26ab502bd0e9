import { isAlias, isMap, isScalar, LineCounter, parseDocument, visit, type Document, type Node, type Pair } from 'yaml';
import { PlanError, type PlanSource } from './planField';

/** A plan has some hundred lines; anything far beyond that is malicious or a mistake. */
const bounds = { characters: 200_000, parts: 20_000, depth: 50, textDepth: 200, aliases: 500 } as const;

/**
 * A plan's text as YAML. Throws a `PlanError` if it is not YAML, out of bounds, or contains itself. Other texts from
 * users or hosts are read with the same bounds; `kind` names them in sentences, which quote nothing of these.
 */
export function planDocument(text: string, kind = plan): PlanSource {
  checkYamlSize(text, kind);
  const lines = new LineCounter();
  // The parser compares each key with all before it, which takes seconds for thousands of keys; `checkNodes` does it in
  // one pass.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const fail = (offset: number, sentence: string): never => {
    const { line, col } = lines.linePos(offset);
    throw new PlanError(line, col, '', sentence);
  };
  const [error] = document.errors;
  if (error) fail(error.pos[0], `This is not valid YAML: ${kind === plan ? error.message : wordsOf(error.code)}`);
  checkNodes(document, kind, (node, sentence) => fail(node.range?.[0] ?? 0, sentence));
  return { document, lines, deprecated: [] };
}

const plan = 'a plan';

/** The parser's name of a fault, in words; its sentences quote the text. */
const wordsOf = (code: string): string => `${code.toLowerCase().replaceAll('_', ' ')}.`;

const tooDeep = (kind: string): string => `This is nested too deeply for ${kind}.`;

/**
 * The parser recurses as deep as the text; a stack overflow can end the process. Depth, and the number of parts, are
 * bounded before it starts. Throws a `PlanError`.
 */
export function checkYamlSize(text: string, kind: string, characters: number = bounds.characters): void {
  if (text.length > characters)
    throw new PlanError(1, 1, '', `This is too long for ${kind}: ${text.length} characters.`);
  let open = 0;
  let parts = 0;
  text.split('\n').forEach((line, i) => {
    // Each line, key and item costs parser time; they are counted by their separators.
    parts += 1 + (line.match(/[,:]/g)?.length ?? 0);
    if (parts > bounds.parts)
      throw new PlanError(
        i + 1,
        1,
        '',
        `This is too large for ${kind}: it has more than ${bounds.parts} lines, keys and items.`,
      );
    for (const bracket of line.match(/[[\]{}]/g) ?? []) open = Math.max(0, open + ('[{'.includes(bracket) ? 1 : -1));
    // Each indicator at the start of a line, and each column before it, can be a level.
    const levels = line.match(/^[ \t]+/)?.[0].length ?? 0;
    const compact = /^[ \t]*(?:(?:[-?:]|[^\s:]+:)[ \t]+){100}/.test(line);
    if (open > bounds.textDepth || levels > bounds.textDepth || compact)
      throw new PlanError(i + 1, 1, '', tooDeep(kind));
  });
}

/** No cycles, bounded aliases, and no map with duplicate keys. */
function checkNodes(document: Document.Parsed, kind: string, fail: (node: Node, sentence: string) => never): void {
  const anchors = new Map<string, Node>();
  let aliases = 0;
  visit(document, {
    Node: (_, node, path) => {
      if (isMap(node)) checkKeys(node.items as Pair<Node, Node | null>[], fail);
      if (path.length > bounds.depth) fail(node, tooDeep(kind));
      if (!isAlias(node)) {
        if (node.anchor !== undefined) anchors.set(node.anchor, node);
        return;
      }
      aliases += 1;
      if (aliases > bounds.aliases) fail(node, `This has more than ${bounds.aliases} aliases.`);
      const named = anchors.get(node.source);
      if (named && path.includes(named))
        fail(
          node,
          kind === plan
            ? `"*${node.source}" is inside "&${node.source}" itself, so it never ends.`
            : 'This contains itself, so it never ends.',
        );
    },
  });
}

/** `<<` may occur in a map several times; keys that are not a single value are refused by the reader of the map. */
function checkKeys(pairs: readonly Pair<Node, Node | null>[], fail: (node: Node, sentence: string) => never): void {
  const keys = new Set<unknown>();
  for (const { key } of pairs) {
    if (!isScalar(key) || key.value === '<<') continue;
    if (keys.has(key.value)) fail(key, 'This key occurs twice. Remove one of them.');
    keys.add(key.value);
  }
}
