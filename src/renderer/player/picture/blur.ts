import type { Plane } from './plane';

/** Length of the low-pass filter that a picture is compared with, in samples. */
const filterLength = 9;
const ahead = (filterLength - 1) / 2;

/**
 * Blur after Crété-Roffet et al. (2007): how little a picture changes when it is blurred once more. 0 for a sharp
 * picture, 1 for one without any detail left; undefined for one without any difference between samples. The filter is
 * the mean of 9 samples, in both directions separately; the more blurred direction counts. `bands` are parts of one
 * luma plane.
 */
export function blur(bands: readonly Plane[]): number | undefined {
  const directions = [along(bands, true), along(bands, false)].filter((value) => value !== undefined);
  return directions.length > 0 ? Math.max(...directions) : undefined;
}

/** In one direction: the share of the differences between neighbours that the filter leaves. */
function along(bands: readonly Plane[], isHorizontal: boolean): number | undefined {
  let all = 0;
  let lost = 0;
  for (const { bytes, offset, stride, width, height } of bands) {
    const step = isHorizontal ? 1 : stride;
    // Two means of 9 samples, one sample apart, differ by the samples that only one of them has.
    const forward = ahead * step;
    const back = -(ahead + 1) * step;
    const top = isHorizontal ? 0 : ahead + 1;
    const bottom = isHorizontal ? height : height - ahead;
    const left = isHorizontal ? ahead + 1 : 0;
    const right = isHorizontal ? width - ahead : width;
    for (let y = top; y < bottom; y += 1) {
      const line = offset + y * stride;
      for (let at = line + left; at < line + right; at += 1) {
        const sharp = Math.abs((bytes[at] ?? 0) - (bytes[at - step] ?? 0));
        if (sharp === 0) continue;
        const blurred = Math.abs((bytes[at + forward] ?? 0) - (bytes[at + back] ?? 0)) / filterLength;
        all += sharp;
        if (sharp > blurred) lost += sharp - blurred;
      }
    }
  }
  return all === 0 ? undefined : (all - lost) / all;
}
