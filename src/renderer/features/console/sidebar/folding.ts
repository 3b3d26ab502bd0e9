import type { NodeView } from '../../../../domain/model/node';

/** From this many, failed nodes are folded: they would hide the working ones. */
const foldsFrom = 3;
/** With more nodes than this a row is one line. */
const maxTallRows = 8;

interface Row {
  readonly node: Pick<NodeView, 'state'>;
  /** It has data in the displayed run. */
  readonly isMeasured: boolean;
}

export interface Folding<R> {
  readonly shown: readonly R[];
  /** Folded nodes, in order; empty if too few. */
  readonly folded: readonly R[];
  readonly isCompact: boolean;
}

/**
 * What the sidebar lists, and what it folds into one line: failed nodes, or, in a finished run, those of which
 * nothing was measured.
 */
export function folding<R extends Row>(rows: readonly R[], isPast: boolean): Folding<R> {
  const isEmpty = ({ node, isMeasured }: R): boolean => (isPast ? !isMeasured : node.state === 'failed');
  const folded = rows.filter(isEmpty);
  const folds = folded.length >= foldsFrom;
  const shown = folds ? rows.filter((row) => !isEmpty(row)) : rows;
  return { shown, folded: folds ? folded : [], isCompact: shown.length > maxTallRows };
}
