import { describe, expect, it } from 'vitest';
import { formatFigure, formatTick } from './numberFormat';

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

describe('formatTick', () => {
  it('uses as many decimals as the step needs', () => {
    expect(formatTick(500, 500)).toBe('500');
    expect(formatTick(1000, 500)).toBe('1,000');
    expect(formatTick(0.4, 0.4)).toBe('0.4');
    expect(formatTick(2.5, 2.5)).toBe('2.5');
    expect(formatTick(0.25, 0.25)).toBe('0.25');
    expect(formatTick(25, 25)).toBe('25');
    expect(formatTick(0, 0.4)).toBe('0');
  });
});
