import { expect, it } from 'vitest';
import { bandsOf, packedPlane } from './plane';

it.each([
  [640, 360],
  [1280, 720],
  [1920, 1080],
  [1080, 1920],
  [3840, 2160],
  [16, 20_000],
])('of %i x %i no more than 256,000 samples are analysed, in bands on the grid of blocks', (width, height) => {
  const bands = bandsOf(packedPlane(new Uint8Array(width * height), width, height));
  const samples = bands.reduce((sum, band) => sum + band.width * band.height, 0);
  expect(samples).toBeLessThanOrEqual(256_000);
  expect(samples).toBeGreaterThan(90_000);
  let end = 0;
  for (const band of bands) {
    const top = band.offset / width;
    expect(top % 16).toBe(0);
    expect(top).toBeGreaterThanOrEqual(end);
    end = top + band.height;
  }
  expect(end).toBeLessThanOrEqual(height);
});
