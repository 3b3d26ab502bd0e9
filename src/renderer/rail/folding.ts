import type { NodeView } from '../../domain/node';

/** So many failed nodes are one line: they would push those that work out of sight. */
const foldsFrom = 3;
/** With more nodes than these a row is one line. */
const mostTallRows = 8;

interface Row {
  readonly node: Pick<NodeView, 'state'>;
  /** Anything was measured of it in what is shown. */
  readonly isMeasured: boolean;
}

export interface Folding<R> {
  readonly shown: readonly R[];
  /** Behind one line, in their order; empty when they are too few for that. */
  readonly folded: readonly R[];
  readonly isCompact: boolean;
}

/**
 * What the sidebar lists, and what it puts behind one line: the nodes that failed, or, of a run that has ended, those of which
 * nothing was measured.
 */
export function folding<R extends Row>(rows: readonly R[], isPast: boolean): Folding<R> {
  const isEmpty = ({ node, isMeasured }: R): boolean => (isPast ? !isMeasured : node.state === 'failed');
  const folded = rows.filter(isEmpty);
  const folds = folded.length >= foldsFrom;
  const shown = folds ? rows.filter((row) => !isEmpty(row)) : rows;
  return { shown, folded: folds ? folded : [], isCompact: shown.length > mostTallRows };
}
