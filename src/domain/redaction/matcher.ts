import type { ReplacementScope } from './programWords';

/** Characters after and before which a short name can only be the name. */
const before = new Set('"\'\u201c\u2018`/@=');
const after = new Set('"\'\u201d\u2019`/?&@: ,;.)');

interface Entry<T> {
  readonly value: T;
  readonly reach: ReplacementScope;
  /** It looks like an address: followed by a dot and a digit it is another one. */
  readonly isNumeric: boolean;
}

interface Branch<T> {
  readonly next: Map<number, Branch<T>>;
  entry?: Entry<T>;
}

/**
 * Finds many texts in another in one pass, ignoring case: a trie, since one expression of hundreds of alternatives
 * tries all of them at every position. The longest match at a position wins.
 */
export class Matcher<T> {
  private readonly root: Branch<T> = { next: new Map() };

  add(writing: string, reach: ReplacementScope, value: T): void {
    let branch = this.root;
    const signs = lowered(writing);
    for (let i = 0; i < signs.length; i += 1) {
      const sign = signs.charCodeAt(i);
      let next = branch.next.get(sign);
      if (!next) branch.next.set(sign, (next = { next: new Map() }));
      branch = next;
    }
    branch.entry ??= { value, reach, isNumeric: /^\d/.test(writing) || writing.includes(':') };
  }

  /** The matches in order; none overlaps another. */
  matches(text: string): Array<{ readonly start: number; readonly end: number; readonly value: T }> {
    const signs = lowered(text);
    const found: Array<{ start: number; end: number; value: T }> = [];
    for (let at = 0; at < signs.length;) {
      const match = this.longestAt(signs, at);
      if (match) found.push({ start: at, ...match });
      at = match?.end ?? at + 1;
    }
    return found;
  }

  replace(text: string, change: (match: string, value: T) => string): string {
    let done = '';
    let copied = 0;
    for (const { start, end, value } of this.matches(text)) {
      done += text.slice(copied, start) + change(text.slice(start, end), value);
      copied = end;
    }
    return copied === 0 ? text : done + text.slice(copied);
  }

  /** Position where the text ends with the start of an added text, at least `least` characters of it. */
  cutAt(text: string, least: number): number | undefined {
    const signs = lowered(text);
    for (let at = 0; at + least <= signs.length; at += 1) {
      let branch: Branch<T> | undefined = this.root;
      for (let end = at; branch && end < signs.length; end += 1) branch = branch.next.get(signs.charCodeAt(end));
      if (branch) return at;
    }
    return undefined;
  }

  private longestAt(signs: string, at: number): { readonly end: number; readonly value: T } | undefined {
    let branch: Branch<T> | undefined = this.root;
    let found: { end: number; value: T } | undefined;
    for (let end = at; ;) {
      branch = end < signs.length ? branch.next.get(signs.charCodeAt(end)) : undefined;
      if (!branch) return found;
      end += 1;
      if (branch.entry && mayStand(branch.entry, signs, at, end)) found = { end, value: branch.entry.value };
    }
  }
}

function mayStand({ reach, isNumeric }: Entry<unknown>, signs: string, at: number, end: number): boolean {
  const [last, next] = [signs[at - 1], signs[end]];
  switch (reach) {
    case 'anywhere':
      return true;
    case 'place':
      return last !== undefined && before.has(last) && (next === undefined || after.has(next));
    case 'word':
      if (isWordSign(last) || isWordSign(next)) return false;
      return !isNumeric || !((last === '.' && isDigit(signs[at - 2])) || (next === '.' && isDigit(signs[end + 1])));
  }
}

const isDigit = (sign: string | undefined): boolean => sign !== undefined && sign >= '0' && sign <= '9';
const isWordSign = (sign: string | undefined): boolean =>
  isDigit(sign) || (sign !== undefined && sign >= 'a' && sign <= 'z');

/** Character by character if needed to keep positions: some capital letters become two. */
function lowered(text: string): string {
  const whole = text.toLowerCase();
  if (whole.length === text.length) return whole;
  return Array.from({ length: text.length }, (_, i) => {
    const sign = text.charAt(i);
    const low = sign.toLowerCase();
    return low.length === 1 ? low : sign;
  }).join('');
}
