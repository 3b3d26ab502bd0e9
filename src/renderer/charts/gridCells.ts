/** Cells of a grid of charts with lines of 1 px between them; computed, since measuring would cost a layout. */
export interface GridCells {
  readonly columns: number;
  of(index: number): { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
}

/** More than this scroll, and are in four columns if there is space. */
export const chartsWithoutScrolling = 9;
const fourColumnsPx = 1100;

export function gridCells(count: number, gridWidth: number, gridHeight: number): GridCells {
  const columns = count === 1 ? 1 : count > chartsWithoutScrolling && gridWidth >= fourColumnsPx ? 4 : 3;
  const rows = Math.max(1, Math.ceil(count / columns));
  const width = (gridWidth + 1) / columns;
  const height = (gridHeight + 1) / rows;
  return {
    columns,
    of: (index) => ({ left: (index % columns) * width, top: Math.floor(index / columns) * height, width, height }),
  };
}
