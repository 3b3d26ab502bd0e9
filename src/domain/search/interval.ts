/** Where one repeat found the break: the largest size below it that held, and the smallest that did not. */
export interface Bracket {
  readonly held: number;
  readonly broke: number;
}

export interface Interval {
  readonly viewers: number;
  readonly plusMinus: number;
  readonly held: number;
  readonly broke: number;
}

/**
 * All repeats as one honest interval. It holds every repeat's bracket whole: each of them alone proves that the limit lay in it at that
 * time, so none may be averaged away. Brackets that do not overlap show that the break moves by more than a repeat can tell; the few that
 * were made have hardly seen the farthest ends, so what lies between the two outermost is added once more, half of it at each end.
 */
export function intervalOf(brackets: readonly Bracket[]): Interval | undefined {
  if (brackets.length === 0) return undefined;
  const helds = brackets.map(({ held }) => held);
  const brokes = brackets.map(({ broke }) => broke);
  const held = Math.min(...helds);
  const broke = Math.min(...brokes);
  const gap = Math.max(0, Math.max(...helds) - broke);
  const from = Math.max(0, held - Math.ceil(gap / 2));
  const to = Math.max(...brokes) + Math.ceil(gap / 2);
  const viewers = Math.round((from + to) / 2);
  return { viewers, plusMinus: Math.max(viewers - from, to - viewers), held, broke };
}
