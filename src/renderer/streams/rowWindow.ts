/** Which rows of a long list are in the page, and which are asked for. Pure: pixels and counts in, indexes out. */

export const rowHeight = 32;
export const headHeight = 28;
/** Rows kept above and below those in sight, so that a turn of the wheel shows no hole. */
const overscan = 6;
/** The contract's most for one answer. */
const mostAsked = 500;

export interface RowRange {
  readonly first: number;
  readonly count: number;
}

/** Rows in the page at a scroll position. */
export function rowsInPage(scrollTop: number, heightPx: number, total: number): RowRange {
  const wanted = Math.ceil(heightPx / rowHeight) + 1 + 2 * overscan;
  const count = Math.min(total, wanted);
  const first = Math.max(0, Math.min(total - count, Math.floor(scrollTop / rowHeight) - overscan));
  return { first, count };
}

/** Pages asked for beyond those in the page, towards where the list is being scrolled. */
const pagesAhead = 3;

/**
 * What is asked for: the rows in the page, as many again on both sides, and more where scrolling leads. `movedBy` are the
 * rows scrolled since the last question.
 */
export function rowsToAsk({ first, count }: RowRange, movedBy = 0): { offset: number; limit: number } {
  const before = movedBy < 0 ? pagesAhead : 1;
  const after = movedBy > 0 ? pagesAhead : 1;
  const offset = Math.max(0, first - before * count);
  return { offset, limit: Math.min(mostAsked, Math.max(1, first + (1 + after) * count - offset)) };
}

export function covers(held: RowRange, wanted: RowRange, total: number): boolean {
  const until = Math.min(total, wanted.first + wanted.count);
  return wanted.first >= held.first && until <= held.first + held.count;
}

/**
 * The index that slot `slot` of `range.count` elements shows. Each element keeps its row while that is in the page, so
 * that scrolling by a row changes one element and creates none.
 */
export function indexOfSlot(slot: number, { first, count }: RowRange): number {
  return first + ((((slot - first) % count) + count) % count);
}

/** Where the list has to be scrolled to so that a row is in sight; where it is, if it is in sight already. */
export function scrollToShow(index: number, scrollTop: number, heightPx: number): number {
  const top = index * rowHeight;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, top + rowHeight - heightPx);
}

/** Where a key leads from a row; undefined for keys that don't move. */
export function moveByKey(key: string, index: number, total: number, heightPx: number): number | undefined {
  const page = Math.max(1, Math.floor(heightPx / rowHeight) - 1);
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -total,
    End: total,
  };
  const step = steps[key];
  if (step === undefined || total === 0) return undefined;
  // Nothing is chosen yet: the first step chooses the end that it comes from.
  const from = index < 0 ? (step > 0 && key !== 'End' ? -1 : key === 'Home' ? 0 : total) : index;
  if (index < 0 && key.startsWith('Page')) return step > 0 ? 0 : total - 1;
  return Math.min(total - 1, Math.max(0, from + step));
}
