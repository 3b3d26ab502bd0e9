/** The break of one repeat: the largest size that held below it, and the smallest that did not. */
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
 * All repeats as one interval. It contains every repeat's bracket completely: each proves that the limit was inside it
 * at that time, so none is averaged away. Brackets that do not overlap show that the break varies by more than one
 * repeat measures. A few repeats rarely include the extremes, so the distance between the two outermost is added once
 * more, half of it at each end.
 */
export function intervalOf(brackets: readonly Bracket[]): Interval | undefined {
  if (brackets.length === 0) return undefined;
  const heldSizes = brackets.map(({ held }) => held);
  const brokes = brackets.map(({ broke }) => broke);
  const held = Math.min(...heldSizes);
  const broke = Math.min(...brokes);
  const gap = Math.max(0, Math.max(...heldSizes) - broke);
  const from = Math.max(0, held - Math.ceil(gap / 2));
  const to = Math.max(...brokes) + Math.ceil(gap / 2);
  const viewers = Math.round((from + to) / 2);
  return { viewers, plusMinus: Math.max(viewers - from, to - viewers), held, broke };
}
