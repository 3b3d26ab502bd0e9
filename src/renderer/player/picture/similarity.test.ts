import { describe, expect, it } from 'vitest';
import { blocked, blurred, planeOf, texture } from '../../../../tests/support/planes';
import { similarity } from './similarity';

const width = 160;
const height = 96;
const picture = texture(width, height);
const brighter = planeOf(width, height, (x, y) => (picture.bytes[y * width + x] ?? 0) + 5);

describe('similarity', () => {
  it('is 1 and 60 dB for equal planes', () => {
    expect(similarity(picture, picture)).toEqual({ ssim: 1, psnrDb: 60 });
  });

  it('has the PSNR of the mean square error', () => {
    const tenWrong = planeOf(
      width,
      height,
      (x, y) => (picture.bytes[y * width + x] ?? 0) + (x % 16 === 0 && y === 0 ? 20 : 0),
    );
    expect(similarity(picture, brighter).psnrDb).toBeCloseTo(10 * Math.log10(255 ** 2 / 25), 6);
    expect(similarity(picture, tenWrong).psnrDb).toBeCloseTo(10 * Math.log10((255 ** 2 * width * height) / 4000), 6);
  });

  it('of two even planes is that of their brightness', () => {
    const even = (level: number) => planeOf(width, height, () => level);
    const c1 = (0.01 * 255) ** 2;
    expect(similarity(even(10), even(15)).ssim).toBeCloseTo((2 * 10 * 15 + c1) / (10 ** 2 + 15 ** 2 + c1), 9);
  });

  // Values of the filters ssim and psnr of ffmpeg 5.1.9 for the same bytes.
  it.each([
    ['a blur', blurred(picture, 1), 0.933486, 35.898005],
    ['a stronger blur', blurred(picture, 3), 0.888972, 33.363834],
    ['weak blocks', blocked(picture, 8, 0.5), 0.887444, 32.460364],
    ['blocks', blocked(picture, 8, 1), 0.541566, 26.458733],
    ['another brightness', brighter, 0.999119, 34.151404],
  ])('of %s is that of ffmpeg', (_, damaged, ssim, psnrDb) => {
    const result = similarity(picture, damaged);
    expect(result.ssim).toBeCloseTo(ssim, 5);
    expect(result.psnrDb).toBeCloseTo(psnrDb, 4);
  });

  it('reads planes within larger buffers', () => {
    const stride = width + 24;
    const bytes = new Uint8Array(7 + stride * height).fill(99);
    for (let y = 0; y < height; y += 1) bytes.set(picture.bytes.subarray(y * width, (y + 1) * width), 7 + y * stride);
    expect(similarity({ bytes, offset: 7, stride, width, height }, picture)).toEqual({ ssim: 1, psnrDb: 60 });
  });

  it('refuses planes of different sizes', () => {
    expect(() => similarity(picture, texture(width, height - 8))).toThrow('different sizes');
  });
});
