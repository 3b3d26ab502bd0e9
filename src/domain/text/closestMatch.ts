/** Edit distance: letters to add, remove, change or swap with their neighbour to get from one word to the other. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : Infinity;
      row.push(Math.min(change, swap, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    before = previous;
    previous = row;
  }
  return previous[b.length] ?? 0;
}

/** The known word closest to the typed one; undefined if none is close. Case is ignored. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const near = known
    .map((each) => ({ each, away: distance(word.toLowerCase(), each.toLowerCase()) }))
    .filter(({ each, away }) => away <= Math.max(1, Math.floor(Math.min(each.length, word.length) / 3)))
    .sort((a, b) => a.away - b.away);
  return near[0]?.each;
}

/** All possible values, one sentence. */
export function choices(known: readonly string[]): string {
  return `Possible: ${known.join(', ')}.`;
}

/** A suggestion of what was meant, else all possible values, or `otherwise` if these are too many. */
export function suggestion(word: string, known: readonly string[], otherwise = choices(known)): string {
  const meant = nearest(word, known);
  return meant ? `Did you mean "${meant}"?` : otherwise;
}
