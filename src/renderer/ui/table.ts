import type { Snippet } from 'svelte';

/** A column of a Table: data only, so that a table is a list of these. */
export interface TableColumn<Row, Id extends string = string> {
  readonly id: Id;
  readonly title: string;
  /** The title is for screen readers only. */
  readonly isTitleHidden?: boolean;
  /** Colour of the node that the column is of. */
  readonly swatch?: number;
  /** Tooltip of the header. */
  readonly meaning?: string;
  /** Right-aligned, and sorted descending first. */
  readonly isNumber?: boolean;
  /** A track of a CSS grid; `minmax(80px, 1fr)` has a minimum width. */
  readonly width: string;
  /** The header sorts. */
  readonly canSort?: boolean;
  /** Test id of the header's button. */
  readonly testId?: string;
  /** Plain content, cut at the end of the cell. */
  readonly text?: (row: Row) => string;
  /** Any content. */
  readonly cell?: Snippet<[row: Row, index: number, column: Id]>;
  /** Tooltip of a cell. */
  readonly hint?: (row: Row) => string | undefined;
  /** Number of columns covered, this one included. */
  readonly span?: (row: Row) => number;
}

/** An array, or a list of which only some rows are loaded. */
export interface TableRows<Row> {
  readonly length: number;
  at(index: number): LoadedRow<Row>;
}

/** Undefined while loading. */
export type LoadedRow<Row> = Row | undefined;

/** Attributes and handlers of a row. */
export interface RowProps {
  readonly class?: string | undefined;
  readonly title?: string | undefined;
  readonly onclick?: (event: MouseEvent) => void;
  readonly ondblclick?: (event: MouseEvent) => void;
  readonly onpointerenter?: () => void;
  readonly [data: `data-${string}`]: string | undefined;
}

export interface TableSort<Id extends string = string> {
  readonly column: Id;
  readonly isDescending: boolean;
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Sorted by a value of each row; missing values are last in both directions. Equal rows keep their order. */
export function sortedBy<Row>(
  rows: readonly Row[],
  value: (row: Row) => string | number | undefined,
  isDescending: boolean,
): readonly Row[] {
  const sign = isDescending ? -1 : 1;
  return rows
    .map((row) => ({ row, value: value(row) }))
    .sort(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b)));
    })
    .map(({ row }) => row);
}

/** The cells of a row: a column covered by the one before has none. */
export function cellsOf<Row, Id extends string>(
  columns: readonly TableColumn<Row, Id>[],
  row: Row,
): readonly { readonly column: TableColumn<Row, Id>; readonly span: number }[] {
  const cells: { column: TableColumn<Row, Id>; span: number }[] = [];
  let next = 0;
  for (const [index, column] of columns.entries()) {
    if (index < next) continue;
    const span = column.span?.(row) ?? 1;
    cells.push({ column, span });
    next = index + span;
  }
  return cells;
}
