import { describe, expect, it } from 'vitest';
import { agreementPercent, comparedSeconds, disagreement, type ComparedSecond } from './agreement';

function second(browsers: [number?, number?], audience: [number?, number?], viewers = 4): ComparedSecond {
  return {
    browsers: { frameRate: browsers[0], degradedPercent: browsers[1], viewers },
    audience: { frameRate: audience[0], degradedPercent: audience[1], viewers: 1000 },
  };
}

const long = (each: ComparedSecond): ComparedSecond[] => new Array<ComparedSecond>(comparedSeconds).fill(each);

describe('agreement', () => {
  it('is the lower one of frame rate and degraded share', () => {
    expect(agreementPercent(second([25, 0], [25, 0]))).toBe(100);
    expect(agreementPercent(second([20, 0], [25, 0]))).toBe(80);
    expect(agreementPercent(second([25, 50], [25, 10]))).toBe(60);
    expect(agreementPercent(second([undefined, 0], [25, 2]))).toBe(98);
    expect(agreementPercent(second([undefined, undefined], [25, 2]))).toBeUndefined();
  });
});

describe('disagreement', () => {
  it('needs the whole time', () => {
    expect(disagreement(long(second([25, 100], [25, 0])).slice(1))).toBeUndefined();
  });

  it('is reported with its figures', () => {
    expect(disagreement(long(second([25, 100], [25, 1])))).toBe(
      '100 % of the browser viewers were degraded, 1 % of the audience',
    );
    expect(disagreement(long(second([20, 0], [25, 0])))).toBe(
      'browser viewers displayed 20.0 fps, the audience received 25.0 fps',
    );
  });

  it('is not derived from noise: one freeze of one of four viewers', () => {
    const calm = long(second([25, 0], [25, 1]));
    const frozen = calm.map((each, index) => (index < 5 ? second([24, 25], [25, 1]) : each));
    expect(disagreement(frozen)).toBeUndefined();
  });

  it('needs less of more browser viewers', () => {
    expect(disagreement(long(second([25, 22], [25, 1], 2)))).toBeUndefined();
    expect(disagreement(long(second([25, 22], [25, 1], 16)))).toBeDefined();
  });

  it('ignores what was measured for less than half of the time', () => {
    const some = long(second([undefined, undefined], [25, 0])).map((each, index) =>
      index < 9 ? second([10, 100], [25, 0]) : each,
    );
    expect(disagreement(some)).toBeUndefined();
  });
});
