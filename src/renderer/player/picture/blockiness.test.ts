import { describe, expect, it } from 'vitest';
import { blocked, blurred, planeOf, texture } from '../../../../tests/support/planes';
import { blockiness } from './blockiness';
import { bandsOf } from './plane';

const picture = texture(320, 192);
const of = (plane: typeof picture): number => blockiness(bandsOf(plane)) ?? Number.NaN;

describe('blockiness', () => {
  it('is 1 for a picture without blocks', () => {
    expect(of(picture)).toBeCloseTo(1, 1);
    expect(of(planeOf(64, 64, () => 80))).toBe(1);
  });

  it.each([4, 8, 16])('grows with the strength of blocks of %i', (size) => {
    const values = [0, 0.25, 0.5, 0.75, 1].map((strength) => of(blocked(picture, size, strength)));
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(values[2]).toBeGreaterThan(1.5);
  });

  it('does not react to blur', () => {
    for (const radius of [1, 2, 3, 5]) expect(of(blurred(picture, radius))).toBeLessThan(1.2);
  });

  it('does not react to edges of the content on a few borders', () => {
    const edges = planeOf(320, 192, (x, y) => (picture.bytes[y * 320 + x] ?? 0) / 4 + (x >= 64 && x < 160 ? 120 : 0));
    expect(of(edges)).toBeLessThan(1.2);
  });

  it('is the same for a part of a large picture', () => {
    const large = blocked(texture(1280, 400), 8, 0.5);
    const ofAll = blockiness([large]) ?? Number.NaN;
    expect(Math.abs(of(large) / ofAll - 1)).toBeLessThan(0.1);
  });
});
