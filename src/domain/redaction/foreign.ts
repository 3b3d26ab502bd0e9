import { isOwnPhrase, opaque, tokensOf, type Token } from './words';

/** A part of a text, by position. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Known words between two unknown ones that are part of the same foreign text. */
const maxGap = 2;
/** Ends of a part of a sentence; what follows a colon, or is in parentheses, is often quoted. */
const boundary = /: |; |\. (?=\S)|[\n\r]+| ?\(|\)|[“”"`]| [–—] /g;

/**
 * The parts of a sentence that are not the program's: quoted texts, answers, messages and names from elsewhere. Values
 * that are replaced are `opaque` in it. A sentence is the program's, word by word; a part behind a colon or in
 * parentheses with one foreign word is foreign as a whole, and so is a quoted text that the program never quotes.
 */
export function foreignSpans(text: string, isKnown?: (token: string) => boolean): TextSpan[] {
  const blocks = blocksIn(text);
  let left = blanked(text, blocks);
  const quotes = quotedIn(left);
  left = blanked(left, quotes);
  const parts = clausesOf(left).flatMap(({ start, end, isQuoting }) =>
    foreignInClause(left, { start, end }, isQuoting, isKnown),
  );
  return [...blocks, ...quotes, ...parts].sort((a, b) => a.start - b.start);
}

/** The text with these parts known. */
export function blanked(text: string, spans: readonly TextSpan[]): string {
  let done = '';
  let copied = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start < copied) continue;
    done += text.slice(copied, start) + opaque.repeat(end - start);
    copied = end;
  }
  return copied === 0 ? text : done + text.slice(copied);
}

/** JSON and markup, from the first sign to the last. */
function blocksIn(text: string): TextSpan[] {
  const spans: TextSpan[] = [];
  const json = /[{[](?=\s{0,20}["'{[\]}])/.exec(text);
  if (json) {
    const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1;
    spans.push({ start: json.index, end: end > json.index ? end : text.length });
  }
  const markup = /<[a-z!/?](?![a-z]{0,20}>(?!.{0,2000}<))/i.exec(text);
  if (markup && !spans.some(({ start, end }) => markup.index >= start && markup.index < end)) {
    const end = text.lastIndexOf('>') + 1;
    const stop = end > markup.index ? end : text.length;
    const [first] = spans;
    if (first && first.start < stop) spans.length = 0;
    spans.push({ start: markup.index, end: Math.max(stop, first?.end ?? 0) });
  }
  return spans;
}

/** Contents of quotes; a single name that is known, and what the program quotes itself, are not foreign. */
function quotedIn(text: string): TextSpan[] {
  return [
    ...text.matchAll(
      /"([^"\n]{1,4000})"|“([^”\n]{1,4000})”|`([^`\n]{1,4000})`|(?<=[\s(:=])'([^'\n]{1,4000})'(?=[\s).,;:]|$)/g,
    ),
  ].flatMap((match): TextSpan[] => {
    const content = match[1] ?? match[2] ?? match[3] ?? match[4] ?? '';
    const start = match.index + 1;
    const tokens = tokensOf(content);
    const isKnown =
      tokens.every(({ isOwn }) => isOwn) && (tokens.length < 2 || isOwnPhrase(content) || isOfKnown(content));
    return isKnown ? [] : [{ start, end: start + content.length }];
  });
}

/** Only values and signs: several names in one pair of quotes. */
const isOfKnown = (content: string): boolean => !/[\p{L}\p{N}]/u.test(content.replaceAll(opaque, ''));

interface Clause extends TextSpan {
  /** It may be a quotation: it follows a colon that is not behind a mere name, or is in parentheses. */
  readonly isQuoting: boolean;
}

function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  let start = 0;
  let isQuoting = false;
  const add = (end: number): void => {
    if (end > start) clauses.push({ start, end, isQuoting });
  };
  for (const match of text.matchAll(boundary)) {
    add(match.index);
    const sign = match[0].trim();
    const before = text.slice(start, match.index).trim();
    isQuoting = sign === '(' || (sign === ':' && (isQuoting || tokensOf(before).length > 1));
    start = match.index + match[0].length;
  }
  add(text.length);
  return clauses;
}

function foreignInClause(
  text: string,
  { start, end }: TextSpan,
  isQuoting: boolean,
  isKnown?: (token: string) => boolean,
): TextSpan[] {
  const tokens = tokensOf(text, start, end);
  const isForeign = (token: Token): boolean => !token.isOwn && isKnown?.(text.slice(token.start, token.end)) !== true;
  const runs: Array<{ start: number; end: number; last: number }> = [];
  tokens.forEach((token, place) => {
    if (!isForeign(token)) return;
    const run = runs[runs.length - 1];
    if (run && place - run.last <= maxGap + 1) {
      run.end = token.end;
      run.last = place;
    } else runs.push({ start: token.start, end: token.end, last: place });
  });
  if (runs.length === 0) return [];
  if (!isQuoting)
    return runs.map((run) => ({ start: run.start, end: numbersAfter(text, tokens, run.last) ?? run.end }));
  // A status stays.
  const [status = ''] = /^\s*(?:HTTP\s{1,3})?(?:[1-5]\d\d\b[ .,;:]{0,3})?/.exec(text.slice(start, end)) ?? [];
  const from = start + status.length;
  const trailing = /[\s.]*$/.exec(text.slice(from, end))?.[0].length ?? 0;
  return [{ start: from, end: Math.max(from, end - trailing) }];
}

/**
 * End of the numbers behind a foreign word that belong to it: several groups, or one that no unit or word follows.
 * `Contoso 17 viewers` are 17 viewers.
 */
function numbersAfter(text: string, tokens: readonly Token[], place: number): number | undefined {
  let last = place;
  while (last + 1 < tokens.length && /^\d[\d.,-]*$/.test(textOf(text, tokens[last + 1]))) last += 1;
  if (last === place || (last === place + 1 && last + 1 < tokens.length)) return undefined;
  return tokens[last]?.end;
}

const textOf = (text: string, token: Token | undefined): string => (token ? text.slice(token.start, token.end) : '');
