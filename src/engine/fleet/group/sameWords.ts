/** Sentences of several members, equal ones once: `load-1: ...`, `load-1 and 19 others: ...`. */
export function sameWords(all: ReadonlyArray<{ readonly who: string; readonly sentence: string }>): string[] {
  const names = new Map<string, string[]>();
  for (const { who, sentence } of all) names.set(sentence, [...(names.get(sentence) ?? []), who]);
  return [...names].map(([sentence, [first = '', ...others]]) => {
    const more =
      others.length === 0 ? '' : others.length === 1 ? ` and ${others[0] ?? ''}` : ` and ${others.length} others`;
    return `${first}${more}: ${sentence}`;
  });
}
