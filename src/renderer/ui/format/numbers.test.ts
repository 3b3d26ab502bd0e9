import { describe, expect, it } from 'vitest';
import { bytesFigure, counted, figure, percentOf, typedNumber } from './numbers';

describe('numbers', () => {
  it('shows a missing value as an en dash without a unit, never as 0', () => {
    expect(figure(undefined, 'ms')).toEqual({ text: '–', unit: '' });
    expect(figure(0, 'ms')).toEqual({ text: '0', unit: 'ms' });
    expect(bytesFigure(undefined).text).toBe('–');
    expect(percentOf(3, 0)).toBeUndefined();
  });

  it('parses typed numbers', () => {
    expect(['1,000', ' 2.5 ', '-1', '', '1e3'].map(typedNumber)).toEqual([1000, 2.5, ...Array<undefined>(3)]);
  });

  it('names bytes by their size', () => {
    expect(bytesFigure(4.6 * 2 ** 20)).toEqual({ text: '4.6', unit: 'MiB' });
    expect(bytesFigure(3.25 * 2 ** 30)).toEqual({ text: '3.3', unit: 'GiB' });
    expect(bytesFigure(12 * 2 ** 10)).toEqual({ text: '12', unit: 'KiB' });
  });

  it('counts one and many', () => {
    expect([counted(0, 'viewer'), counted(1, 'viewer'), counted(1000, 'viewer')]).toEqual([
      '0 viewers',
      '1 viewer',
      '1,000 viewers',
    ]);
  });
});
