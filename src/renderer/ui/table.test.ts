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
  const column = (id: string, span?: number): TableColumn<unknown> => ({
    id,
    title: id,
    width: '1fr',
    span: () => span ?? 1,
  });
  const cells = cellsOf([column('a'), column('b', 2), column('c'), column('d')])({});
  expect(cells.map(({ column: { id }, span }) => `${id} ${span}`)).toEqual(['a 1', 'b 2', 'd 1']);
});
