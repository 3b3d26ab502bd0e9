import { Budget, BudgetExceeded } from './budget';

/**
 * Bounds of JSON from servers, hosts and files of others: a text of some bytes per value takes twenty times as much
 * memory once it is parsed, and readers recurse as deep as it is nested.
 */
const jsonBounds = { values: 2_000_000, depth: 100 } as const;

/** Parses JSON within these bounds. Throws a `BudgetExceeded`, or a `SyntaxError`. */
export function parseForeignJson(text: string, what = 'the JSON', values: number = jsonBounds.values): unknown {
  checkJson(text, what, values);
  return JSON.parse(text) as unknown;
}

/** Counts brackets, commas and colons outside of strings. */
function checkJson(text: string, what: string, values: number): void {
  if (text.length < jsonBounds.depth) return;
  const left = new Budget(what, values, 'values');
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = endOfString(text, at);
        break;
      case 0x5b: // [
      case 0x7b: // {
        depth += 1;
        if (depth > jsonBounds.depth) throw new BudgetExceeded(what, jsonBounds.depth, 'levels of nesting');
        left.take();
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth -= 1;
        break;
      case 0x2c: // ,
      case 0x3a: // :
        left.take();
        break;
    }
  }
}

/** The place of the quote that ends a string, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
}
