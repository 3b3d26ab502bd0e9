import { describe, expect, it } from 'vitest';
import type { Audience } from './plan';
import { viewersPerTester, distributeEvenly, largestWithin, distributeViewers, distributionText } from './distribution';

const pull: Audience = {
  stream: 'cam',
  from: 'o',
  by: ['a', 'b'],
  protocol: 'whep',
  viewers: 300,
  ratePerSecond: 1,
  holdMs: 1,
  weights: { b: 2 },
};

describe('shares', () => {
  it('are even, the first ones taking the remainder', () => {
    expect(distributeEvenly(1000, 3)).toEqual([334, 333, 333]);
    expect(distributeEvenly(2, 3)).toEqual([1, 1, 0]);
    expect(distributeEvenly(5, 0)).toEqual([]);
  });

  it('follow the weights, with the remainder to the largest fractions', () => {
    expect(distributeViewers(300, ['a', 'b'], { b: 2 })).toEqual([100, 200]);
    expect(distributeViewers(10, ['a', 'b'], { a: 9, b: 5 })).toEqual([6, 4]);
    expect(distributeViewers(100, ['a', 'b', 'c'], { a: 3, b: 3, c: 1 })).toEqual([43, 43, 14]);
    expect(distributeViewers(10, ['a', 'b', 'c'], { a: 0.1, b: 0.1, c: 0.1 })).toEqual([4, 3, 3]);
    expect(distributeViewers(1, ['constructor', 'b'])).toEqual([1, 0]);
    expect(distributeViewers(7, ['a', 'b'])).toEqual(distributeEvenly(7, 2));
  });

  it('always add up, and none is a viewer off its exact share', () => {
    let seed = 7;
    const random = (below: number): number => {
      seed = (seed * 48271) % 2147483647;
      return seed % below;
    };
    for (let i = 0; i < 2000; i += 1) {
      const by = Array.from({ length: 1 + random(9) }, (_, place) => `t${place}`);
      const weights = Object.fromEntries(by.map((name) => [name, (1 + random(5000)) / (1 + random(700))]));
      const viewers = random(100_000);
      const shares = distributeViewers(viewers, by, weights);
      const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBe(viewers);
      by.forEach((name, place) => {
        const due = (viewers * (weights[name] ?? 1)) / total;
        expect(Math.abs((shares[place] ?? NaN) - due)).toBeLessThan(1.001);
      });
    }
  });

  it('are known for a tester of several audiences', () => {
    const also: Audience[] = [{ ...pull, by: ['b', 'c'], viewers: 10, weights: undefined }];
    expect([...viewersPerTester({ pull, also })]).toEqual([
      ['a', 100],
      ['b', 205],
      ['c', 5],
    ]);
  });

  it('bound the audience size', () => {
    expect(largestWithin(250, 'b', pull)).toBe(375);
    expect(largestWithin(250, 'a', pull)).toBe(750);
    expect(largestWithin(250, 'a', { ...pull, weights: undefined })).toBe(500);
  });

  it('are formatted as one word', () => {
    expect(distributionText(distributeEvenly(1000, 2))).toBe('500');
    expect(distributionText(distributeEvenly(1000, 3))).toBe('333-334');
    expect(distributionText(distributeEvenly(3000, 2))).toBe('1,500');
    expect(distributionText([])).toBe('0');
  });
});
