import { describe, expect, it } from 'vitest';
import { cellsOf, columnPlaces, fittingColumns, minTrackPx, sortedBy, type TableColumn } from './table';

describe('rows sorted by a column', () => {
  const rows = ['tester-10', undefined, 'tester-2', 'Tester-1'];
  const value = (row: string | undefined): string | undefined => row;

  it('compare numbers within text as numbers, and keep missing values last in both directions', () => {
    expect(sortedBy(rows, value, false)).toEqual(['Tester-1', 'tester-2', 'tester-10', undefined]);
    expect(sortedBy(rows, value, true)).toEqual(['tester-10', 'tester-2', 'Tester-1', undefined]);
  });

  it('keep their order if they are equal', () => {
    const same = [{ id: 'b' }, { id: 'a' }];
    expect(sortedBy(same, () => 1, true)).toEqual(same);
  });
});

it('has no cell for a column that the one before covers', () => {
  const column = (id: string, last?: string): TableColumn<unknown> => ({
    id,
    title: id,
    width: '1fr',
    spanTo: () => last,
  });
  const shownCells = (columns: readonly TableColumn<unknown>[]): string[] =>
    cellsOf(columns)({}).map(({ column: { id }, span }) => `${id} ${span}`);
  expect(shownCells([column('a'), column('b', 'c'), column('c'), column('d')])).toEqual(['a 1', 'b 2', 'd 1']);
  // A column that is added between the two is covered too.
  expect(shownCells([column('a'), column('b', 'c'), column('new'), column('c'), column('d')])).toEqual([
    'a 1',
    'b 3',
    'd 1',
  ]);
});

describe('the columns of a table', () => {
  const valueOf = (property: string): string => ({ '--name': ' 84px', '--trace': 'minmax(40px, 1fr)' })[property] ?? '';
  const space = { gapPx: 10, marginPx: 12 };
  const columns = [
    { id: 'name', width: 'minmax(var(--name), 1.4fr)' },
    { id: 'tags', width: '60px', rank: 1 },
    { id: 'trace', width: 'var(--trace)', rank: 2 },
    { id: 'figure', width: '50px' },
  ];
  const fitting = (roomPx: number, sortedBy?: string, setPx: Readonly<Record<string, number>> = {}) => {
    const minPx = ({ width }: (typeof columns)[number]): number => minTrackPx(width, valueOf);
    const found = fittingColumns(columns, minPx, { ...space, roomPx }, { sortedBy, setPx });
    return [found.columns.map(({ id }) => id).join(' '), found.neededPx];
  };

  it('have a least width, also one of a style', () => {
    const px = (width: string): number => minTrackPx(width, valueOf);
    expect(['96px', 'minmax(110px, 0.6fr)', 'minmax(0, 1fr)', 'var(--trace)', '1fr'].map(px)).toEqual([
      96, 110, 0, 40, 1,
    ]);
  });

  it('are left out from the highest rank on, until the rest fits', () => {
    expect(fitting(300)).toEqual(['name tags trace figure', 288]);
    expect(fitting(287)).toEqual(['name tags figure', 238]);
    expect(fitting(200)).toEqual(['name figure', 168]);
    // Without a rank a column stays: the table scrolls.
    expect(fitting(100)).toEqual(['name figure', 168]);
  });

  it('are neither left out for the width that a user gives one, nor is that one: the table scrolls', () => {
    expect(fitting(300, undefined, { trace: 90 })).toEqual(['name tags trace figure', 338]);
    expect(fitting(300, undefined, { name: 400 })).toEqual(['name tags trace figure', 604]);
    expect(fitting(200, undefined, { trace: 90 })).toEqual(['name trace figure', 268]);
  });

  it('are never left out while the rows are sorted by them', () => {
    expect(fitting(200, 'tags')).toEqual(['name tags figure', 238]);
  });

  it('have their place among all for screen readers where one is left out', () => {
    const places = columnPlaces(
      columns,
      columns.filter(({ id }) => id !== 'tags'),
    );
    expect(columns.map((column) => places?.get(column))).toEqual([1, 2, 3, 4]);
    expect(columnPlaces(columns, columns)).toBeUndefined();
  });
});
