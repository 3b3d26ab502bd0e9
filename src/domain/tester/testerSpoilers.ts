import type { TesterLimit } from '../run';
import type { Spoiler } from '../verdict/judged';

/** Limits of testers as what spoils a figure: a tester's first interval of each kind speaks for those that follow. */
export function firstOfEach(all: readonly TesterLimit[]): Spoiler[] {
  const isFirst = ({ node, kind }: TesterLimit, place: number): boolean => {
    // Slow arrivals are caused by a lack of CPU, which is told by itself.
    const kinds = kind === 'arrivals' ? ['cpu', kind] : [kind];
    return all.findIndex((other) => other.node === node && kinds.includes(other.kind)) === place;
  };
  return all.filter(isFirst).map(({ sentence, expected, fromMs, node }) => ({
    cause: 'tester',
    sentence,
    expected,
    timeMs: fromMs,
    node,
  }));
}
