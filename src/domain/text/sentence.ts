/**
 * A text as the start of a sentence: capitalised if it starts with a plain word. An address, a path or anything with a
 * digit or a symbol in it stays as it is, and so do `names`, such as those of nodes.
 */
export function asSentence(text: string, names: readonly string[] = []): string {
  const [word = ''] = /^\S+/.exec(text) ?? [];
  const isPlain = /^\p{Ll}\p{L}*(?:['’]\p{L}+)?[,.;:!?]*$/u.test(word);
  if (!isPlain || names.some((name) => text === name || text.startsWith(`${name} `) || text.startsWith(`${name}:`)))
    return text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}
