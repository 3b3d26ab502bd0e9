import { describe, expect, it } from 'vitest';
import { markerClip, markerOf, markerXs } from './markers';

describe('markers of lines', () => {
  it('differ for each of the eight colours', () => {
    const shapes = [1, 2, 3, 4, 5, 6, 7, 8].map((colour) => markerClip(markerOf(colour)));
    expect(new Set(shapes).size).toBe(8);
    expect(shapes[0]).toBe('polygon(6% 6%, 94% 6%, 94% 94%, 6% 94%)');
  });

  it('are at other places for each colour, within the plot', () => {
    const [first, second] = [markerXs(1, 40, 400), markerXs(2, 40, 400)];
    expect(first).toEqual([58, 130, 202, 274, 346]);
    expect(second.some((x) => first.includes(x))).toBe(false);
    expect(markerXs(1, 40, 50)).toEqual([]);
  });
});
