import { expect, it } from 'vitest';
import { gridCells, gridRows } from './gridCells';

it('keeps the columns and the size of charts when more are added below', () => {
  const nine = gridCells(1300, 500, 9);
  expect(nine.columns).toBe(3);
  expect(nine.of(8)).toEqual({ left: (2 * 1301) / 3, top: 334, width: 1301 / 3, height: 167 });
  // Two more are in a fourth row of the same grid, below the pane.
  expect(nine.of(10).top).toBe(501);
});

it('chooses columns for the charts that are there from the start, and rows that stay legible', () => {
  expect(gridCells(1300, 500, 11).columns).toBe(4);
  expect(gridCells(1000, 500, 11).columns).toBe(3);
  expect(gridCells(1300, 500, 1).columns).toBe(1);
  expect(gridRows(24, 1300)).toEqual({ count: 6, lowestPx: 150 });
  expect(gridCells(1300, 500, 24).of(4).top).toBe(151);
  expect(gridCells(700, 240, 9).of(3).top).toBe(105);
});
