import { describe, expect, it } from 'vitest';
import { cellsOf, sortedBy, type TableColumn } from './table';

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
