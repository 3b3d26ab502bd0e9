import type { TesterLimit } from '../model/run';
import type { Influence } from '../evidence/evidence';

/** Limits of testers that invalidate a figure: a tester's first interval of each kind represents the later ones. */
export function firstOfEach(all: readonly TesterLimit[]): Influence[] {
  const isFirst = ({ node, kind }: TesterLimit, place: number): boolean => {
    // Slow arrivals are caused by a lack of CPU, which is reported separately.
    const kinds = kind === 'arrivals' ? ['cpu', kind] : [kind];
    return all.findIndex((other) => other.node === node && kinds.includes(other.kind)) === place;
  };
  return all.filter(isFirst).map(({ sentence, expected, fromMs, node, kind }) => ({
    cause: 'tester',
    sentence,
    expected,
    timeMs: fromMs,
    node,
    limit: kind,
  }));
}
