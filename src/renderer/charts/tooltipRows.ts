import { isAbout } from '../../domain/charts';
import type { Readout } from './chartView';

/** Two columns of ten: more would hide the charts. */
const mostRows = 20;
/** Of more than that, so many are listed, and the rest is summed up. */
const listedOfMany = 14;

export interface TooltipRows {
  readonly rows: readonly Readout[];
  /** How many more there are, and between which values they lie. */
  readonly rest?: { readonly count: number; readonly low: number; readonly high: number };
}

/**
 * The rows of one panel: all, or of very many those that tell most, in the order of the list. What belongs to no node and the
 * node pointed at are always among them.
 */
export function tooltipRows(readouts: readonly Readout[], hoveredNode: string | undefined): TooltipRows {
  if (readouts.length <= mostRows) return { rows: readouts };
  const isFixed = ({ trace: { owner } }: Readout): boolean =>
    owner.kind !== 'node' || (hoveredNode !== undefined && isAbout(owner, new Set([hoveredNode])));
  const weight = ({ trace, value }: Readout): number =>
    value === undefined ? -Infinity : trace.extreme === 'lowest' ? -value : value;
  const fixed = readouts.filter(isFixed);
  const chosen = new Set([
    ...fixed,
    ...readouts
      .filter((each) => !isFixed(each))
      .sort((a, b) => weight(b) - weight(a))
      .slice(0, Math.max(0, listedOfMany - fixed.length)),
  ]);
  const values = readouts.flatMap((each) =>
    chosen.has(each) || each.value === undefined ? [] : [each.value],
  );
  return {
    rows: readouts.filter((each) => chosen.has(each)),
    rest:
      values.length === 0
        ? undefined
        : { count: values.length, low: Math.min(...values), high: Math.max(...values) },
  };
}
