/** Selected runs: plain lists of ids, in order of selection. */

export function toggled(chosen: readonly string[], run: string): readonly string[] {
  return chosen.includes(run) ? chosen.filter((each) => each !== run) : [...chosen, run];
}

/** All rows of a range, as selected by Shift-click; earlier selections are kept. */
export function withRange(
  chosen: readonly string[],
  listed: readonly string[],
  from: string | undefined,
  to: string,
): readonly string[] {
  const end = listed.indexOf(to);
  const start = from === undefined ? -1 : listed.indexOf(from);
  if (end < 0) return chosen;
  if (start < 0) return chosen.includes(to) ? chosen : [...chosen, to];
  const range = listed.slice(Math.min(start, end), Math.max(start, end) + 1);
  return [...chosen, ...range.filter((run) => !chosen.includes(run))];
}

/** The letter of each selected run, A for the oldest; none unless they can be compared. */
export function lettersOf(
  runs: ReadonlyArray<{ readonly id: string; readonly startedMs: number }>,
  chosen: readonly string[],
  letters: readonly string[],
): ReadonlyMap<string, string> {
  const matchingRuns = runs.filter(({ id }) => chosen.includes(id)).sort((a, b) => a.startedMs - b.startedMs);
  if (matchingRuns.length < 2 || matchingRuns.length > letters.length) return new Map();
  return new Map(matchingRuns.map(({ id }, i) => [id, letters[i] ?? '']));
}
