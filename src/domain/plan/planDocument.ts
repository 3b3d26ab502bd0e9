import {
  isAlias,
  isMap,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type Document,
  type Node,
  type Pair,
} from 'yaml';
import { PlanError, type PlanSource } from './planField';

/** A plan has some hundred lines; what is far beyond that was made, or happened, to keep its reader busy. */
const bounds = { characters: 200_000, parts: 20_000, depth: 50, textDepth: 200, aliases: 500 } as const;

/**
 * A plan's text as YAML. Throws a `PlanError` when it is not YAML, is out of all bounds, or contains itself. Other texts that people or
 * hosts write are read by the same bounds; `kind` is what the sentences call them.
 */
export function planDocument(text: string, kind = 'a plan'): PlanSource {
  checkSize(text, kind);
  const lines = new LineCounter();
  // The parser compares each key with all before it, which takes seconds for thousands of keys: `checkNodes` does it in one pass.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const fail = (offset: number, sentence: string): never => {
    const { line, col } = lines.linePos(offset);
    throw new PlanError(line, col, '', sentence);
  };
  const [error] = document.errors;
  if (error) fail(error.pos[0], `This is not valid YAML: ${error.message}`);
  checkNodes(document, kind, (node, sentence) => fail(node.range?.[0] ?? 0, sentence));
  return { document, lines };
}

const tooDeep = (kind: string): string => `This is nested too deeply for ${kind}.`;

/** The parser goes as deep as the text does; at the end of its stack it can take the process with it. So depth is bound before it begins. */
function checkSize(text: string, kind: string): void {
  if (text.length > bounds.characters)
    throw new PlanError(1, 1, '', `This is too long for ${kind}: ${text.length} characters.`);
  let open = 0;
  let parts = 0;
  text.split('\n').forEach((line, i) => {
    // Each line, key and item costs the parser time, so they are counted by what separates them.
    parts += 1 + (line.match(/[,:]/g)?.length ?? 0);
    if (parts > bounds.parts)
      throw new PlanError(
        i + 1,
        1,
        '',
        `This is too much for ${kind}: it has more than ${bounds.parts} lines, keys and items.`,
      );
    for (const bracket of line.match(/[[\]{}]/g) ?? [])
      open = Math.max(0, open + ('[{'.includes(bracket) ? 1 : -1));
    // Each indicator at a line's beginning, and each column before it, can be a level.
    const levels = line.match(/^[ \t]+/)?.[0].length ?? 0;
    const compact = /^[ \t]*(?:(?:[-?:]|[^\s:]+:)[ \t]+){100}/.test(line);
    if (open > bounds.textDepth || levels > bounds.textDepth || compact)
      throw new PlanError(i + 1, 1, '', tooDeep(kind));
  });
}

/** No part of it contains itself, following it comes to an end soon, and no map has a key twice. */
function checkNodes(
  document: Document.Parsed,
  kind: string,
  fail: (node: Node, sentence: string) => never,
): void {
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
      if (aliases > bounds.aliases) fail(node, `There are more than ${bounds.aliases} aliases here.`);
      const named = anchors.get(node.source);
      if (named && path.includes(named))
        fail(node, `"*${node.source}" stands within "&${node.source}" itself, so there is no end to it.`);
    },
  });
}

/** `<<` may stand in a map several times; keys that are no single value are refused by whoever reads the map. */
function checkKeys(
  pairs: readonly Pair<Node, Node | null>[],
  fail: (node: Node, sentence: string) => never,
): void {
  const keys = new Set<unknown>();
  for (const { key } of pairs) {
    if (!isScalar(key) || key.value === '<<') continue;
    if (keys.has(key.value)) fail(key, 'This key is here twice. Remove one of them.');
    keys.add(key.value);
  }
}
