import type { TesterLimit, TesterLimitKind } from '../model/run';
import type { Influence } from '../evidence/evidence';

const ofCpu: readonly TesterLimitKind[] = ['cpu', 'socket-buffers', 'arrivals'];

/** Whether a lack of CPU causes a limit: a reader that is late lets buffers fill and viewers start late. */
export function isOfCpu(kind: TesterLimitKind): boolean {
  return ofCpu.includes(kind);
}

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
