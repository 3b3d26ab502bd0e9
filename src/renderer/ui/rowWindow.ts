/** Rows of a long list in the DOM, and rows to request. Pure: pixels and counts in, indexes out. */

export const rowHeight = 32;
export const headHeight = 28;
/** Extra rows above and below the visible ones, so that scrolling shows no gap. */
const overscan = 6;
/** Max rows of one response, by contract. */
const maxRequested = 500;

export interface RowRange {
  readonly first: number;
  readonly count: number;
}

/** Rows in the DOM at a scroll position. */
export function rowsInPage(scrollTop: number, heightPx: number, total: number, rowPx = rowHeight): RowRange {
  const wanted = Math.ceil(heightPx / rowPx) + 1 + 2 * overscan;
  const count = Math.min(total, wanted);
  const first = Math.max(0, Math.min(total - count, Math.floor(scrollTop / rowPx) - overscan));
  return { first, count };
}

/**
 * The index that slot `slot` of `range.count` elements shows. Each element keeps its row while that is in the DOM, so
 * that scrolling by a row changes one element and moves none.
 */
export function indexOfSlot(slot: number, { first, count }: RowRange): number {
  return first + ((((slot - first) % count) + count) % count);
}

/** Pages requested beyond the DOM, in the scroll direction. */
const pagesAhead = 3;

/**
 * Rows to request: those in the DOM, as many again on both sides, and more in the scroll direction. `movedBy` are the
 * rows scrolled since the last request.
 */
export function rowsToRequest({ first, count }: RowRange, movedBy = 0): { offset: number; limit: number } {
  const before = movedBy < 0 ? pagesAhead : 1;
  const after = movedBy > 0 ? pagesAhead : 1;
  const offset = Math.max(0, first - before * count);
  return { offset, limit: Math.min(maxRequested, Math.max(1, first + (1 + after) * count - offset)) };
}

export function covers(held: RowRange, wanted: RowRange, total: number): boolean {
  const until = Math.min(total, wanted.first + wanted.count);
  return wanted.first >= held.first && until <= held.first + held.count;
}

/** Scroll position that makes a row visible; the current one if it already is. */
export function scrollToShow(index: number, scrollTop: number, heightPx: number, rowPx = rowHeight): number {
  const top = index * rowPx;
  if (top < scrollTop) return top;
  return Math.max(scrollTop, top + rowPx - heightPx);
}

/** Target row of a key; undefined for keys that don't move. */
export function moveByKey(
  key: string,
  index: number,
  total: number,
  heightPx: number,
  rowPx = rowHeight,
): number | undefined {
  const page = Math.max(1, Math.floor(heightPx / rowPx) - 1);
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
  // Nothing is chosen yet: the first step starts from the matching end.
  const from = index < 0 ? (step > 0 && key !== 'End' ? -1 : key === 'Home' ? 0 : total) : index;
  if (index < 0 && key.startsWith('Page')) return step > 0 ? 0 : total - 1;
  return Math.min(total - 1, Math.max(0, from + step));
}
