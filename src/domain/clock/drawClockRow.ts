import { clockCells, clockRow, encodeClock } from './clockRow';

/** A canvas, as far as cells need it. */
interface CellContext {
  fillStyle: unknown;
  fillRect(x: number, y: number, width: number, height: number): void;
}

/** Draws the row that machines read; `timeMs` is Unix time in ms. */
export function drawClockRow(
  context: CellContext,
  { width, height }: { readonly width: number; readonly height: number },
  { source, timeMs }: { readonly source: number; readonly timeMs: number },
): void {
  const left = clockRow.left * width;
  const cellWidth = ((clockRow.right - clockRow.left) * width) / clockCells;
  const top = Math.round(clockRow.top * height);
  const tall = Math.round((clockRow.bottom - clockRow.top) * height);
  const firstPx = Math.floor(left);
  context.fillStyle = '#000000';
  context.fillRect(firstPx, top, Math.ceil(left + cellWidth * clockCells) - firstPx, tall);
  context.fillStyle = '#ffffff';
  // White cells side by side are one rectangle: between two, a blended edge would show.
  const cells = encodeClock(source, timeMs);
  for (let cell = 0; cell < cells.length; cell += 1) {
    if (!cells[cell]) continue;
    let end = cell;
    while (cells[end]) end += 1;
    context.fillRect(left + cell * cellWidth, top, (end - cell) * cellWidth, tall);
    cell = end;
  }
}
