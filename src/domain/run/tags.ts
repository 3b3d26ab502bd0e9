/** Tags of a run: short words for sorting runs. */

export const longestTag = 40;

/** Typed text as a tag: lower case, spaces as dashes. Undefined if nothing is left. */
export function tagOf(text: string): string | undefined {
  const tag = text
    .toLowerCase()
    .trim()
    .replace(/[\s,;]+/g, '-')
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}|[^\p{L}\p{M}\p{N}._:/+-]/gu, '')
    .replace(/^-+|-+$/g, '')
    .slice(0, longestTag)
    .replace(/[\ud800-\udbff]$/, '');
  return tag === '' ? undefined : tag;
}

/** Tags after adding and removing, in the order of adding, without duplicates. */
export function changedTags(
  tags: readonly string[],
  { add = [], remove = [] }: { readonly add?: readonly string[]; readonly remove?: readonly string[] },
): readonly string[] {
  const gone = new Set(remove);
  return [...new Set([...tags.filter((tag) => !gone.has(tag)), ...add])];
}

/** Every tag with the number of its runs, most used first, then by name. */
export function tagCounts(
  runs: ReadonlyArray<{ readonly tags?: readonly string[] }>,
): ReadonlyArray<{ readonly tag: string; readonly count: number }> {
  const counts = new Map<string, number>();
  for (const { tags = [] } of runs) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || a.tag.localeCompare(b.tag));
}

/** Known tags that match the typed text: those with this prefix first. */
export function suggestedTags(
  known: readonly string[],
  typed: string,
  taken: readonly string[],
  most = 6,
): readonly string[] {
  const prefix = tagOf(typed) ?? '';
  const free = known.filter((tag) => !taken.includes(tag) && tag.includes(prefix));
  return [...free.filter((tag) => tag.startsWith(prefix)), ...free.filter((tag) => !tag.startsWith(prefix))].slice(
    0,
    most,
  );
}
