import { expect, it } from 'vitest';
import { gridCells, rowHeightPx } from './gridCells';

it('keeps the columns and the size of charts when more are added below', () => {
  const paneHeight = 500;
  const before = rowHeightPx(9, 1300, paneHeight);
  expect(before).toBeCloseTo(166, 0);
  const nine = gridCells(9, 1300, 500, 9);
  // Two more are in a fourth row, so the grid is a third higher than its pane.
  const eleven = gridCells(11, 1300, 4 * before + 3, 9);
  for (const index of [0, 4, 8]) {
    expect(eleven.of(index).left).toBeCloseTo(nine.of(index).left, 5);
    expect(eleven.of(index).top).toBeCloseTo(nine.of(index).top, 0);
    expect(eleven.of(index).height).toBeCloseTo(nine.of(index).height, 0);
  }
  expect(eleven.of(10).top).toBeGreaterThan(499);
});

it('chooses columns for the charts that are there from the start, and rows that stay legible', () => {
  expect(gridCells(11, 1300, 500).columns).toBe(4);
  expect(gridCells(11, 1000, 500).columns).toBe(3);
  expect(gridCells(1, 1300, 500).columns).toBe(1);
  expect(rowHeightPx(24, 1300, 500)).toBe(150);
  expect(rowHeightPx(9, 700, 240)).toBe(104);
});
