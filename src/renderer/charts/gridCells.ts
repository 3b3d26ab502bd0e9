/** Cells of a grid of charts with lines of 1 px between them; computed, since measuring would cost a layout. */
export interface GridCells {
  readonly columns: number;
  of(index: number): { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

/** Rows that fill a pane, each at least this high in px, or scroll if it is too low. */
export interface GridRows {
  readonly count: number;
  readonly lowestPx: number;
}

/** More than this scroll, and are in four columns if there is space. */
const chartsWithoutScrolling = 9;
const fourColumnsPx = 1100;
/** A chart that is lower shows no line; of more than fit, each is a little higher. */
const lowestPx = 104;
const lowestOfManyPx = 150;

function columnsFor(count: number, gridWidth: number): number {
  return count === 1 ? 1 : count > chartsWithoutScrolling && gridWidth >= fourColumnsPx ? 4 : 3;
}

export function gridRows(count: number, gridWidth: number): GridRows {
  return {
    count: Math.max(1, Math.ceil(count / columnsFor(count, gridWidth))),
    lowestPx: count > chartsWithoutScrolling ? lowestOfManyPx : lowestPx,
  };
}

/** `sizedFor`: the number of charts that fill the pane; others were added below since. */
export function gridCells(gridWidth: number, paneHeight: number, sizedFor: number): GridCells {
  const columns = columnsFor(sizedFor, gridWidth);
  const rows = gridRows(sizedFor, gridWidth);
  const width = (gridWidth + 1) / columns;
  const height = Math.max(rows.lowestPx + 1, (paneHeight + 1) / rows.count);
  return {
    columns,
    of: (index) => ({ left: (index % columns) * width, top: Math.floor(index / columns) * height, width, height }),
  };
}
