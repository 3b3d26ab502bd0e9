/** Cells of a grid of charts with lines of 1 px between them; computed, since measuring would cost a layout. */
export interface GridCells {
  readonly columns: number;
  of(index: number): { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
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

/** Height of a row, in px, with which `count` charts fill a pane, or scroll if it is too low. */
export function rowHeightPx(count: number, paneWidth: number, paneHeight: number): number {
  const rows = Math.max(1, Math.ceil(count / columnsFor(count, paneWidth)));
  return Math.max(count > chartsWithoutScrolling ? lowestOfManyPx : lowestPx, (paneHeight - rows + 1) / rows);
}

/** `sizedFor`: the number of charts for which the columns were chosen, if others were added below since. */
export function gridCells(count: number, gridWidth: number, gridHeight: number, sizedFor = count): GridCells {
  const columns = columnsFor(sizedFor, gridWidth);
  const rows = Math.max(1, Math.ceil(count / columns));
  const width = (gridWidth + 1) / columns;
  const height = (gridHeight + 1) / rows;
  return {
    columns,
    of: (index) => ({ left: (index % columns) * width, top: Math.floor(index / columns) * height, width, height }),
  };
}
