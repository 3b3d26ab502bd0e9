import type { Snippet } from 'svelte';
import { naturalOrder } from '../../domain/text/naturalOrder';
import { missing, type Figure } from './format/numbers';

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
  /** Left out where the table is too narrow for its columns, the highest rank first. Absent: never. */
  readonly rank?: number;
  /** The header sorts. */
  readonly canSort?: boolean;
  /** Test id of the header's button. */
  readonly testId?: string;
  /** Plain content, cut at the end of the cell. */
  readonly text?: (row: Row) => string;
  /** Plain content with a unit and a tone. */
  readonly figure?: (row: Row) => TableFigure;
  /** Any other content; costs several times as much as text or figure in a long table that updates. */
  readonly cell?: Snippet<[row: Row, index: number, column: Id]>;
  /** Tooltip of a cell. */
  readonly hint?: (row: Row) => string | undefined;
  /** The last column that the cell covers, by default its own; only of a column with `cell`. */
  readonly spanTo?: (row: Row) => Id | undefined;
}

/** `quiet` is an unremarkable figure, `warning` one above a limit. */
export interface TableFigure extends Figure {
  /** Absent: plain, or quiet if the value is missing. */
  readonly tone?: 'strong' | 'plain' | 'quiet' | 'warning';
}

/** An array, or a list of which only some rows are loaded. */
export interface TableRows<Row> {
  readonly length: number;
  at(index: number): LoadedRow<Row>;
}

/** Undefined while loading. */
export type LoadedRow<Row> = Row | undefined;

/** Attributes of a row. */
export interface RowProps {
  readonly class?: string | undefined;
  readonly title?: string | undefined;
  readonly [data: `data-${string}`]: string | undefined;
}

export interface TableSort<Id extends string = string> {
  readonly column: Id;
  readonly isDescending: boolean;
}

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
      return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : naturalOrder(String(a), String(b)));
    })
    .map(({ row }) => row);
}

export interface TableCell<Row, Id extends string> {
  readonly column: TableColumn<Row, Id>;
  readonly span: number;
}

/** The place of each column among all of a table, from 1; undefined where none is left out. */
export function columnPlaces<C>(all: readonly C[], shown: readonly C[]): ReadonlyMap<C, number> | undefined {
  if (shown.length === all.length) return undefined;
  return new Map(all.map((column, index) => [column, index + 1]));
}

/** Returns the cells of a row: a column covered by the one before has none. Other rows share one list. */
export function cellsOf<Row, Id extends string>(
  columns: readonly TableColumn<Row, Id>[],
): (row: Row) => readonly TableCell<Row, Id>[] {
  const all = columns.map((column) => ({ column, span: 1 }));
  if (columns.every(({ spanTo }) => spanTo === undefined)) return () => all;
  const indexOf = new Map(columns.map(({ id }, index) => [id, index]));
  return (row) => {
    const cells: TableCell<Row, Id>[] = [];
    for (let index = 0; index < all.length;) {
      const cell = all[index]!;
      const last = cell.column.spanTo?.(row);
      const span = last === undefined ? 1 : Math.max(index, indexOf.get(last) ?? index) - index + 1;
      cells.push(span === 1 ? cell : { ...cell, span });
      index += span;
    }
    return cells;
  };
}

/** The least width in px of a track: of `96px`, `minmax(80px, 1fr)` or `var(--name)`. */
export function minTrackPx(width: string, valueOf: (property: string) => string): number {
  const track = width.trim();
  const [, property] = /^(?:minmax\()?var\((--[\w-]+)\)/.exec(track) ?? [];
  if (property !== undefined) return minTrackPx(valueOf(property), valueOf);
  const [, px = '0'] = /^(?:minmax\()?([\d.]+)(?:px)?/.exec(track) ?? [];
  return Number(px);
}

export interface TableSpace {
  /** Width of the table. */
  readonly roomPx: number;
  readonly gapPx: number;
  readonly marginPx: number;
}

/** Which columns a table shows whatever its width, and the widths that its user has set. */
export interface ColumnChoices {
  /** An order by a column that is left out could not be told. */
  readonly sortedBy?: string | undefined;
  readonly setPx: Readonly<Record<string, number | undefined>>;
}

export interface FittingColumns<C> {
  readonly columns: readonly C[];
  /** The least width that these have room in. */
  readonly neededPx: number;
}

/**
 * The columns that a table has room for: those with the highest rank are left out until the rest fits. Widths set by
 * the user leave none out, the table scrolls instead.
 */
export function fittingColumns<C extends Pick<TableColumn<unknown>, 'id' | 'rank'>>(
  all: readonly C[],
  minPx: (column: C) => number,
  { roomPx, gapPx, marginPx }: TableSpace,
  { sortedBy, setPx }: ColumnChoices,
): FittingColumns<C> {
  const widthOf = (columns: readonly C[], px: (column: C) => number): number =>
    columns.reduce((sum, column) => sum + px(column), 0) + gapPx * Math.max(0, columns.length - 1) + 2 * marginPx;
  const rankOf = ({ id, rank }: C): number | undefined =>
    id === sortedBy || setPx[id] !== undefined ? undefined : rank;
  let columns = all;
  for (;;) {
    const ranks = columns.flatMap((column) => rankOf(column) ?? []);
    if (ranks.length === 0 || widthOf(columns, minPx) <= roomPx)
      return { columns, neededPx: widthOf(columns, (column) => setPx[column.id] ?? minPx(column)) };
    const highest = Math.max(...ranks);
    columns = columns.filter((column) => rankOf(column) !== highest);
  }
}

/** The content of a cell without a snippet. */
export function figureOf<Row>(column: Pick<TableColumn<Row>, 'figure' | 'text'>, row: Row): Required<TableFigure> {
  const { text, unit = '', tone } = column.figure?.(row) ?? { text: column.text?.(row) ?? '' };
  return { text, unit, tone: tone ?? (text === missing ? 'quiet' : 'plain') };
}
