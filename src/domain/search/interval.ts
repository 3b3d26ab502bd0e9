/** The break of one repeat: the largest size that held below it, and the smallest that did not. */
export interface Bracket {
  readonly maxMet: number;
  readonly minMissed: number;
}

export interface LimitInterval {
  readonly viewers: number;
  readonly plusMinus: number;
  readonly maxMet: number;
  readonly minMissed: number;
}

/**
 * All repeats as one interval. It contains every repeat's bracket completely: each proves that the limit was inside it
 * at that time, so none is averaged away. Brackets that do not overlap show that the break varies by more than one
 * repeat measures. A few repeats rarely include the extremes, so the distance between the two outermost is added once
 * more, half of it at each end.
 */
export function intervalOf(brackets: readonly Bracket[]): LimitInterval | undefined {
  if (brackets.length === 0) return undefined;
  const metSizes = brackets.map(({ maxMet }) => maxMet);
  const missedSizes = brackets.map(({ minMissed }) => minMissed);
  const maxMet = Math.min(...metSizes);
  const minMissed = Math.min(...missedSizes);
  const gap = Math.max(0, Math.max(...metSizes) - minMissed);
  const from = Math.max(0, maxMet - Math.ceil(gap / 2));
  const to = Math.max(...missedSizes) + Math.ceil(gap / 2);
  const viewers = Math.round((from + to) / 2);
  return { viewers, plusMinus: Math.max(viewers - from, to - viewers), maxMet, minMissed };
}
