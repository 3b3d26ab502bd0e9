import { describe, expect, it } from 'vitest';
import { differencesOf, markOf } from './compare';
import type { RowValue } from './rows';

const rate = (number: number, tolerance = 0.1): RowValue => ({ number, unit: '/s', tolerance });
const items = (...list: string[]): RowValue => ({ items: list });

describe('a row', () => {
  it('is equal with the same members in any order, and close with three quarters of them in common', () => {
    expect(markOf(items('a', 'b'), items('b', 'a'))).toBe('equal');
    expect(markOf(items(), items())).toBe('equal');
    expect(markOf(items('a', 'b', 'c'), items('a', 'b', 'c', 'd'))).toBe('close');
    expect(markOf(items('a', 'b', 'c', 'd'), items('a', 'b', 'c', 'e'))).toBe('different');
    expect(markOf({ word: 'actpass' }, { word: 'active' })).toBe('different');
  });

  it('is equal within 10 % or a message, and close within a factor of 2 or three messages', () => {
    expect(markOf(rate(16), rate(17.7))).toBe('equal');
    expect(markOf(rate(0), rate(0.1))).toBe('equal');
    expect(markOf(rate(16), rate(10))).toBe('close');
    expect(markOf(rate(10), rate(16))).toBe('close');
    expect(markOf(rate(0), rate(0.3))).toBe('close');
    expect(markOf(rate(16), rate(7.9))).toBe('different');
    expect(markOf(rate(0), rate(0.4))).toBe('different');
  });

  it('is different if only one of the two has it', () => {
    expect(markOf(undefined, rate(0))).toBe('different');
    expect(markOf(rate(0), undefined)).toBe('different');
    expect(markOf(undefined, undefined)).toBe('equal');
    expect(markOf(items('1'), rate(1))).toBe('different');
  });
});

it('names the members that differ', () => {
  expect(differencesOf(items('a', 'b'), items('b', 'c'))).toEqual(['no a', 'also c']);
  expect(differencesOf(items('a'), items('a'))).toEqual([]);
  expect(differencesOf(rate(1), rate(9))).toEqual(['other']);
  expect(differencesOf({ word: 'a' }, { word: 'b' })).toEqual(['other']);
  expect(differencesOf(rate(10), rate(10.5))).toEqual([]);
});
