/** A line or a block of a configuration in nginx's or SRS's format. */
export interface Directive {
  readonly name: string;
  readonly words: readonly string[];
  readonly block?: readonly Directive[];
}

/** Parses `name words;` and `name words { … }`. Unclosed blocks end with the text. Pure. */
export function readBlocks(text: string): readonly Directive[] {
  const tokens = text.match(/#[^\n]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[{};]|[^\s{};"'#][^\s{};]*/g) ?? [];
  const words = tokens.filter((token) => !token.startsWith('#'));
  let place = 0;
  const level = (): Directive[] => {
    const directives: Directive[] = [];
    let current: string[] = [];
    while (place < words.length) {
      const token = words[place] ?? '';
      place += 1;
      if (token === ';' || token === '{') {
        const [name = '', ...rest] = current;
        current = [];
        if (token === '{') directives.push({ name, words: rest, block: level() });
        else if (name !== '') directives.push({ name, words: rest });
      } else if (token === '}') return directives;
      else current.push(token.replace(/^(["'])(.*)\1$/s, '$2'));
    }
    return directives;
  };
  const all: Directive[] = [];
  // An extra closing brace must not hide what follows it.
  while (place < words.length) all.push(...level());
  return all;
}

/**
 * Words of all directives of a name, at any depth, within blocks of the names before it: `find(d, 'vhost',
 * 'mw_latency')`.
 */
export function find(directives: readonly Directive[], ...path: readonly string[]): ReadonlyArray<readonly string[]> {
  const [name, ...rest] = path;
  if (name === undefined) return [];
  return directives.flatMap((directive) => {
    const here =
      directive.name !== name ? [] : rest.length === 0 ? [directive.words] : find(directive.block ?? [], ...rest);
    // Names between those of the path may be left out.
    return directive.block ? [...here, ...(directive.name === name ? [] : find(directive.block, ...path))] : here;
  });
}

/** The number of the last directive at this path. */
export function lastNumber(directives: readonly Directive[], ...path: readonly string[]): number | undefined {
  const matches = find(directives, ...path);
  const value = Number(matches[matches.length - 1]?.[0]);
  return matches.length > 0 && Number.isFinite(value) ? value : undefined;
}

export const isOn = (words: readonly string[] | undefined): boolean => /^(on|true)$/.test(words?.[0] ?? '');
