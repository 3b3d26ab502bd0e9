import { describe, expect, it } from 'vitest';
import { planeOf, texture } from '../../../../tests/support/planes';
import { pictureFault } from './pictureFault';
import type { Plane, SteppedPlane } from './plane';

const width = 320;
const height = 192;
const stepped = (plane: Plane): SteppedPlane => ({ ...plane, step: 1 });
const chromaLevels = (u: number, v: number, emptyLines = 0): [SteppedPlane, SteppedPlane] => [
  stepped(planeOf(width / 2, height / 2, (_, y) => (y < emptyLines ? 0 : u))),
  stepped(planeOf(width / 2, height / 2, (_, y) => (y < emptyLines ? 0 : v))),
];
const grey = chromaLevels(128, 128);
const picture = texture(width, height);
const judge = (luma: Plane, chroma: [SteppedPlane, SteppedPlane] | undefined = grey, isFullRange = false) =>
  pictureFault({ luma, chroma, isFullRange });

describe('fault of a picture', () => {
  it('is none for a picture, even a dark one', () => {
    expect(judge(picture)).toBeUndefined();
    expect(
      judge(planeOf(width, height, (x, y) => ((picture.bytes[y * width + x] ?? 0) - 16) / 4 + 16)),
    ).toBeUndefined();
    // A logo on black.
    expect(judge(planeOf(width, height, (x, y) => (x < 60 && y < 40 ? 200 : 16)))).toBeUndefined();
  });

  it('is black, with the noise of a codec and in both ranges', () => {
    expect(judge(planeOf(width, height, (x, y) => 16 + ((x * y) % 5)))).toBe('black');
    expect(judge(planeOf(width, height, () => 16))).toBe('black');
    expect(
      judge(
        planeOf(width, height, (x) => 3 + (x % 30)),
        grey,
        true,
      ),
    ).toBeUndefined();
    expect(
      judge(
        planeOf(width, height, (x) => x % 20),
        grey,
        true,
      ),
    ).toBe('black');
  });

  it('is green where a decoder has written nothing', () => {
    expect(
      judge(
        planeOf(width, height, () => 0),
        chromaLevels(0, 0),
      ),
    ).toBe('green');
    expect(judge(picture, chromaLevels(120, 130, 30))).toBe('green');
    expect(judge(picture, chromaLevels(120, 130, 4))).toBeUndefined();
    // The most saturated green of RGB.
    expect(judge(picture, chromaLevels(54, 34))).toBeUndefined();
  });

  it('is uniform for any single colour', () => {
    expect(judge(planeOf(width, height, (x, y) => 126 + (((x + y) >> 2) % 5)))).toBe('uniform');
    expect(
      judge(
        planeOf(width, height, () => 128),
        undefined,
      ),
    ).toBe('uniform');
    const [u] = grey;
    expect(
      judge(
        planeOf(width, height, () => 128),
        [u, stepped(planeOf(width / 2, height / 2, (x) => x))],
      ),
    ).toBeUndefined();
  });
});
