import { describe, expect, it } from 'vitest';
import { placeOnScreens, type Area } from './windowPlace';

const laptop: Area = { x: 0, y: 0, width: 1920, height: 1040 };
const beamer: Area = { x: 1920, y: 0, width: 1280, height: 720 };

describe('placeOnScreens', () => {
  it('centres a first window', () => {
    expect(placeOnScreens(undefined, [laptop])).toEqual({
      x: 240,
      y: 70,
      width: 1440,
      height: 900,
      maximised: false,
    });
  });

  it('fits a first window into a small screen', () => {
    expect(placeOnScreens(undefined, [beamer])).toMatchObject({ x: 1920, y: 0, width: 1280, height: 720 });
  });

  it('keeps a saved position on any screen', () => {
    const place = { x: 2000, y: 100, width: 1200, height: 700, maximised: true };
    expect(placeOnScreens(place, [laptop, beamer])).toEqual(place);
  });

  it('moves a window back when its screen is gone, still maximised', () => {
    const place = { x: 2000, y: 100, width: 1200, height: 700, maximised: true };
    expect(placeOnScreens(place, [laptop])).toEqual({
      x: 240,
      y: 70,
      width: 1440,
      height: 900,
      maximised: true,
    });
  });

  it.each([
    ['above the screen', { x: 100, y: -30 }],
    ['below it', { x: 100, y: 1020 }],
    ['left of it', { x: -1100, y: 100 }],
  ])('moves a window back whose title is %s', (_where, corner) => {
    const place = { ...corner, width: 1200, height: 700, maximised: false };
    expect(placeOnScreens(place, [laptop])).toMatchObject({ x: 240, y: 70 });
  });
});
