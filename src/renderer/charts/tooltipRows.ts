import { isAbout } from '../../domain/charts/charts';
import type { Readout } from './readout';

/** Two columns of ten: more would hide the charts. */
const maxRows = 20;
/** Beyond that, so many are listed and the rest is summarised. */
const listedOfMany = 14;

export interface TooltipRows {
  readonly rows: readonly Readout[];
  /** Number of hidden rows, and their range of values. */
  readonly rest?: { readonly count: number; readonly low: number; readonly high: number };
}

/**
 * The rows of one panel: all, or the most relevant of very many, in list order. Rows without a node and the hovered
 * node are always included.
 */
export function tooltipRows(readouts: readonly Readout[], hoveredNode: string | undefined): TooltipRows {
  if (readouts.length <= maxRows) return { rows: readouts };
  const isFixed = ({ trace: { owner } }: Readout): boolean =>
    owner.kind !== 'node' || (hoveredNode !== undefined && isAbout(owner, new Set([hoveredNode])));
  const weight = ({ trace, value }: Readout): number =>
    value === undefined ? -Infinity : trace.extreme === 'lowest' ? -value : value;
  const fixed = readouts.filter(isFixed);
  const chosen = new Set([
    ...fixed,
    ...readouts
      .filter((readout) => !isFixed(readout))
      .sort((a, b) => weight(b) - weight(a))
      .slice(0, Math.max(0, listedOfMany - fixed.length)),
  ]);
  const values = readouts.flatMap((readout) =>
    chosen.has(readout) || readout.value === undefined ? [] : [readout.value],
  );
  return {
    rows: readouts.filter((readout) => chosen.has(readout)),
    rest:
      values.length === 0 ? undefined : { count: values.length, low: Math.min(...values), high: Math.max(...values) },
  };
}
