/**
 * New viewers of each tester: as many as it lacks of its share of the total. Where some have more than their share,
 * since others lost viewers, the largest gaps are filled first. Sums to `added`.
 */
export function viewersToAdd(added: number, target: readonly number[], present: readonly number[]): readonly number[] {
  const short = target.map((share, i) => Math.max(0, share - (present[i] ?? 0)));
  let surplus = short.reduce((sum, share) => sum + share, 0) - added;
  while (surplus > 0) {
    const most = short.indexOf(Math.max(...short));
    short[most] = (short[most] ?? 0) - 1;
    surplus -= 1;
  }
  return short;
}
