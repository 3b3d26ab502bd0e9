/** Widths of a table's columns, in px. */
const narrowest = 32;
const step = 8;
const largeStep = 40;

/** A column stays visible, and its right edge within the table. */
export const columnLimits = (tableWidth: number): { readonly min: number; readonly max: number } => ({
  min: narrowest,
  max: Math.max(narrowest, Math.round(tableWidth)),
});

export function limitedWidth(width: number, tableWidth: number): number {
  const { min, max } = columnLimits(tableWidth);
  return Math.min(max, Math.max(min, Math.round(width)));
}

/** Width set by a key on the column's separator; undefined for keys that don't resize. */
export function widthByKey(
  { key, shiftKey }: Pick<KeyboardEvent, 'key' | 'shiftKey'>,
  width: number,
  tableWidth: number,
): number | undefined {
  const by = shiftKey ? largeStep : step;
  const { min, max } = columnLimits(tableWidth);
  const wanted: Readonly<Record<string, number>> = {
    ArrowRight: width + by,
    ArrowLeft: width - by,
    Home: min,
    End: max,
  };
  const to = wanted[key];
  return to === undefined ? undefined : limitedWidth(to, tableWidth);
}
