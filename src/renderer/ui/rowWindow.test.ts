import { describe, expect, it } from 'vitest';
import { covers, indexOfSlot, moveByKey, rowHeight, rowsInPage, rowsToRequest, scrollToShow } from './rowWindow';

describe('rows in the DOM', () => {
  it('are the visible ones and a few more, never outside the list', () => {
    expect(rowsInPage(0, 320, 5000)).toEqual({ first: 0, count: 23 });
    expect(rowsInPage(100 * rowHeight, 320, 5000)).toEqual({ first: 94, count: 23 });
    expect(rowsInPage(4990 * rowHeight, 320, 5000)).toEqual({ first: 4977, count: 23 });
    expect(rowsInPage(0, 320, 6)).toEqual({ first: 0, count: 6 });
    expect(rowsInPage(900, 320, 0)).toEqual({ first: 0, count: 0 });
  });

  it('are requested with as many again on both sides, within the max of one response', () => {
    expect(rowsToRequest({ first: 94, count: 23 })).toEqual({ offset: 71, limit: 69 });
    expect(rowsToRequest({ first: 3, count: 23 })).toEqual({ offset: 0, limit: 49 });
    expect(rowsToRequest({ first: 0, count: 0 })).toEqual({ offset: 0, limit: 1 });
    expect(rowsToRequest({ first: 1000, count: 400 }).limit).toBe(500);
  });

  it('are requested further ahead in the scroll direction', () => {
    expect(rowsToRequest({ first: 200, count: 20 }, 15)).toEqual({ offset: 180, limit: 100 });
    expect(rowsToRequest({ first: 200, count: 20 }, -15)).toEqual({ offset: 140, limit: 100 });
  });

  it('are loaded if the response covers them or reaches the end of the list', () => {
    expect(covers({ first: 0, count: 49 }, { first: 10, count: 23 }, 5000)).toBe(true);
    expect(covers({ first: 0, count: 49 }, { first: 40, count: 23 }, 5000)).toBe(false);
    expect(covers({ first: 0, count: 6 }, { first: 0, count: 23 }, 6)).toBe(true);
  });
});

it('keeps the element of a row while it is in the DOM', () => {
  const at = (first: number): number[] => [0, 1, 2, 3].map((slot) => indexOfSlot(slot, { first, count: 4 }));
  expect(at(0)).toEqual([0, 1, 2, 3]);
  expect(at(1)).toEqual([4, 1, 2, 3]);
  expect(at(6)).toEqual([8, 9, 6, 7]);
});

describe('moving by keys', () => {
  it('goes by rows, by pages and to the ends', () => {
    const from = (key: string, index: number): number | undefined => moveByKey(key, index, 5000, 320);
    expect(from('ArrowDown', 7)).toBe(8);
    expect(from('ArrowUp', 0)).toBe(0);
    expect(from('PageDown', 7)).toBe(16);
    expect(from('End', 7)).toBe(4999);
    expect(from('Home', 4999)).toBe(0);
    expect(from('PageDown', 4998)).toBe(4999);
    expect(from('x', 7)).toBeUndefined();
  });

  it('starts from the matching end if nothing is chosen', () => {
    const first = (key: string): number | undefined => moveByKey(key, -1, 5000, 320);
    expect(['ArrowDown', 'ArrowUp', 'Home', 'End', 'PageDown', 'PageUp'].map(first)).toEqual([
      0, 4999, 0, 4999, 0, 4999,
    ]);
    expect(moveByKey('ArrowDown', -1, 0, 320)).toBeUndefined();
  });

  it('scrolls only as far as needed', () => {
    expect(scrollToShow(5, 0, 320)).toBe(0);
    expect(scrollToShow(10, 0, 320)).toBe(32);
    expect(scrollToShow(2, 320, 320)).toBe(64);
  });
});
