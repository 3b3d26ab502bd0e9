import { FullhouseError } from '../../../contract/calls';

/** One line of an ssh config with a keyword, as ssh splits it. */
export interface ConfigLine {
  /** In lower case. */
  readonly keyword: string;
  readonly words: readonly string[];
  /** All after the keyword, for values that ssh does not split. */
  readonly rest: string;
}

/** Undefined for an empty line and a comment. Rejects with `ssh-config` where a quote is not closed. */
export function parseConfigLine(line: string): ConfigLine | undefined {
  const match = /^[ \t\f]*([^\s="#][^\s="]*)[ \t\f]*=?[ \t\f]*(.*?)\s*$/s.exec(line);
  const [, keyword, rest = ''] = match ?? [];
  if (keyword === undefined) return undefined;
  return { keyword: keyword.toLowerCase(), words: splitWords(rest), rest };
}

/**
 * Words in single or double quotes may have spaces; a backslash escapes a quote, a backslash, and outside of quotes a
 * space; `#` at the start of a word begins a comment.
 */
function splitWords(text: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (word === undefined && character === '#') break;
    if (quote === '' && (character === ' ' || character === '\t')) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    word ??= '';
    if (character === '\\' && (next === "'" || next === '"' || next === '\\' || (quote === '' && next === ' '))) {
      word += next;
      at += 1;
    } else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (quote !== '' && character === quote) quote = '';
    else word += character;
  }
  if (quote !== '') throw new FullhouseError('ssh-config', 'a quote is not closed');
  if (word !== undefined) words.push(word);
  return words;
}

/** ssh's patterns: `*` is any text, `?` one character. */
function matchesPattern(text: string, pattern: string): boolean {
  const expression = pattern
    .replace(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${expression}$`, 's').test(text);
}

/** A list of patterns: one has to match, and none of those with `!`. */
export function matchesPatterns(text: string, patterns: readonly string[]): boolean {
  const isExcluded = patterns.some((pattern) => pattern.startsWith('!') && matchesPattern(text, pattern.slice(1)));
  return !isExcluded && patterns.some((pattern) => !pattern.startsWith('!') && matchesPattern(text, pattern));
}
