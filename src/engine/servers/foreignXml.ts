import { XMLParser } from 'fast-xml-parser';

/** A parsed element takes much more memory than its text. */
const bounds = { elements: 300_000, depth: 50 } as const;

/** Whether the text has as many elements, nested as deeply, as the statistics of a large server. */
function isBounded(xml: string): boolean {
  let [elements, depth] = [0, 0];
  for (const { 0: tag } of xml.matchAll(/<[^<>!?][^<>]*>/g)) {
    elements += 1;
    if (tag.startsWith('</')) depth = Math.max(0, depth - 1);
    else if (!tag.endsWith('/>')) depth += 1;
    if (elements > bounds.elements || depth > bounds.depth) return false;
  }
  return true;
}

/**
 * Parses XML from a server; undefined when it is no XML or beyond all bounds. No document entities, no attributes, and
 * values stay text: a stream may be called 007. Elements of `lists` are lists, also where there is only one.
 */
export function parseForeignXml(xml: string, lists: ReadonlySet<string>): unknown {
  if (!isBounded(xml)) return undefined;
  const parser = new XMLParser({
    ignoreAttributes: true,
    processEntities: false,
    parseTagValue: false,
    isArray: (name) => lists.has(name),
  });
  try {
    return parser.parse(xml) as unknown;
  } catch {
    return undefined; // not XML
  }
}
