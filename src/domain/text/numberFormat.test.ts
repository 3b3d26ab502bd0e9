import { describe, expect, it } from 'vitest';
import {
  counted,
  formatCount,
  formatFigure,
  formatRounded,
  formatTenths,
  formatTick,
  formatViewers,
} from './numberFormat';

describe('formatFigure', () => {
  it('puts commas between thousands', () => {
    expect(formatFigure(1452, 'integer')).toBe('1,452');
    expect(formatFigure(1_234_567.89, 'tenths')).toBe('1,234,567.9');
    expect(formatFigure(-1234, 'integer')).toBe('-1,234');
    expect(formatFigure(-123, 'integer')).toBe('-123');
    expect(formatFigure(999, 'integer')).toBe('999');
  });
  it('shows a missing value as an en dash, never as 0', () => {
    expect(formatFigure(undefined, 'integer')).toBe('–');
    expect(formatFigure(NaN, 'tenths')).toBe('–');
    expect(formatFigure(0, 'integer')).toBe('0');
  });
  it('keeps about three significant digits', () => {
    expect([253.4, 48.23, 4.61, 0.034, 0, 99.96, 0.999].map((value) => formatFigure(value, 'adaptive'))).toEqual([
      '253',
      '48.2',
      '4.6',
      '0.03',
      '0',
      '100',
      '1.0',
    ]);
  });
  it('never shows a minus before a zero', () => {
    expect(formatFigure(-0.001, 'hundredths')).toBe('0.00');
  });
});

it('rounds measured figures, and leaves whole numbers as they were written', () => {
  expect([80, 1500, 91.23, 0.034].map(formatRounded)).toEqual(['80', '1,500', '91.2', '0.03']);
  expect([80, 91.23, 91.04].map(formatTenths)).toEqual(['80', '91.2', '91']);
  expect([undefined, NaN].map(formatRounded)).toEqual(['–', '–']);
});

it('counts with the singular for one only', () => {
  expect([0, 1, 1000].map(formatViewers)).toEqual(['0 viewers', '1 viewer', '1,000 viewers']);
  expect([1, 2].map((count) => counted(count, 'category', 'categories'))).toEqual(['1 category', '2 categories']);
  expect([1452.4, undefined].map(formatCount)).toEqual(['1,452', '–']);
});

describe('formatTick', () => {
  it('uses as many decimals as the step needs', () => {
    expect(formatTick(500, 500)).toBe('500');
    expect(formatTick(1000, 500)).toBe('1,000');
    expect([0, 5000, 10_000].map((value) => formatTick(value, 5000))).toEqual(['0', '5k', '10k']);
    expect([0, 500_000, 1e6, 1.5e6].map((value) => formatTick(value, 500_000))).toEqual(['0', '500k', '1M', '1.5M']);
    expect(formatTick(0.4, 0.4)).toBe('0.4');
    expect(formatTick(2.5, 2.5)).toBe('2.5');
    expect(formatTick(0.25, 0.25)).toBe('0.25');
    expect(formatTick(25, 25)).toBe('25');
    expect(formatTick(0, 0.4)).toBe('0');
  });
});
