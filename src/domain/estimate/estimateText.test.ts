import { describe, expect, it } from 'vitest';
import { ceilingText, markText, roundedViewers, sizesText, withError } from './estimateText';

describe('the texts of an estimate', () => {
  it('have as many digits as the error allows', () => {
    expect(withError({ value: 0.23792, low: 0.2339, high: 0.2419 })).toBe('0.2379 ± 0.0040');
    expect(withError({ value: 3_401_000, low: 3_313_000, high: 3_489_000 }, 1 / 2 ** 20)).toBe('3.243 ± 0.084');
    expect(withError({ value: 1130.6, low: 1123.1, high: 1138.1 })).toBe('1,131 ± 8');
    expect(withError({ value: 2, low: 2, high: 2 })).toBe('2.0');
    expect(withError({ value: 1e-17, low: -1e-16, high: 1e-16 })).toBe('0');
  });

  it('round viewers to the precision of the estimate', () => {
    expect([7.6, 143, 512, 2987].map(roundedViewers)).toEqual(['8', '145', '510', '3,000']);
  });

  it('have the sign and the factor if extrapolated', () => {
    const ceiling = { value: 692, low: 611, high: 789, mark: 'extrapolated', times: 17.3 } as const;
    expect(ceilingText(ceiling)).toBe('≈ 690 viewers (610 to 790)');
    expect(markText(ceiling, 40)).toBe('extrapolated from 40 viewers, × 17');
    expect(ceilingText({ ...ceiling, high: undefined })).toBe('≈ 690 viewers (610 or more)');
    const measured = { value: 35, low: 33, high: 37, mark: 'measured', times: 0.9 } as const;
    expect([ceilingText(measured), markText(measured, 40)]).toEqual(['35 viewers (33 to 37)', 'measured']);
  });

  it('list few sizes, and the range of many', () => {
    const sizes = [20, 40, 60].map((viewers) => ({ viewers, seconds: 15 }));
    expect(sizesText({ sizes })).toBe('20 viewers for 15 s, 40 for 15 s, 60 for 15 s');
    expect(sizesText({ sizes: Array.from({ length: 30 }, (_, i) => ({ viewers: i + 6, seconds: 5 })) })).toBe(
      '30 from 6 to 35 viewers',
    );
  });
});
