import { describe, expect, it } from 'vitest';
import { grownSentence, type Soaked } from './grown';

const soaked = (series: Soaked['series'], valueAt: (second: number) => number): Soaked => {
  const seconds = Array.from({ length: 100 }, (_, second) => second);
  return { node: 'origin', series, timeMs: seconds.map((s) => s * 1000), value: seconds.map(valueAt) };
};

describe('a soak', () => {
  it('tells what has grown, and by how much', () => {
    expect(
      grownSentence([
        soaked('processMemoryBytes', (s) => 100e6 + s * 400e3),
        soaked('processOpenFiles', () => 40),
      ]),
    ).toMatch(/^Grown over the soak: Process memory of origin from 10\d MB to 13\d MB \(\+3\d %\)$/);
  });

  it('takes ups and downs for what they are', () => {
    expect(grownSentence([soaked('cpuPercent', (s) => 40 + (s % 7) * 3)])).toBe(
      'Nothing has grown over the soak',
    );
  });

  it('says nothing of what was hardly measured', () => {
    expect(grownSentence([{ ...soaked('cpuPercent', () => 1), value: [1, 2, 3] }])).toBeUndefined();
  });
});
