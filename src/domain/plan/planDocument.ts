import { isAlias, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml';
import { PlanError, type PlanSource } from './planField';

/** A plan has some hundred lines; what is far beyond that was made, or happened, to keep its reader busy. */
const bounds = { characters: 200_000, depth: 50, textDepth: 200, aliases: 500 } as const;

/** A plan's text as YAML. Throws a `PlanError` when it is none, is out of all bounds, or contains itself. */
export function planDocument(text: string): PlanSource {
  checkSize(text);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const fail = (offset: number, sentence: string): never => {
    const { line, col } = lines.linePos(offset);
    throw new PlanError(line, col, '', sentence);
  };
  checkEnds(document, (node, sentence) => fail(node.range?.[0] ?? 0, sentence));
  const [error] = document.errors;
  if (error)
    fail(
      error.pos[0],
      error.code === 'DUPLICATE_KEY'
        ? 'This key is here twice. Remove one of them.'
        : `This is not valid YAML: ${error.message}`,
    );
  return { document, lines };
}

const tooDeep = 'This is nested too deeply for a plan.';

/** The parser goes as deep as the text does; at the end of its stack it can take the process with it. So depth is bound before it begins. */
function checkSize(text: string): void {
  if (text.length > bounds.characters)
    throw new PlanError(1, 1, '', `This is too long for a plan: ${text.length} characters.`);
  let open = 0;
  text.split('\n').forEach((line, i) => {
    for (const bracket of line.match(/[[\]{}]/g) ?? [])
      open = Math.max(0, open + ('[{'.includes(bracket) ? 1 : -1));
    // Each indicator at a line's beginning, and each column before it, can be a level.
    const levels = line.match(/^[ \t]+/)?.[0].length ?? 0;
    const compact = /^[ \t]*(?:(?:[-?:]|[^\s:]+:)[ \t]+){100}/.test(line);
    if (open > bounds.textDepth || levels > bounds.textDepth || compact)
      throw new PlanError(i + 1, 1, '', tooDeep);
  });
}

/** No part of it contains itself, and following it comes to an end soon. */
function checkEnds(document: Document.Parsed, fail: (node: Node, sentence: string) => never): void {
  const anchors = new Map<string, Node>();
  let aliases = 0;
  visit(document, {
    Node: (_, node, path) => {
      if (path.length > bounds.depth) fail(node, tooDeep);
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
