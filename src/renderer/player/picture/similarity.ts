import type { Plane } from './plane';

export interface Similarity {
  /** -1 to 1; 1 for equal planes. */
  readonly ssim: number;
  readonly psnrDb: number;
}

const windowSize = 8;
const windowStep = 4;
const peak = 255;
const c1 = (0.01 * peak) ** 2;
/** For unbiased variances and covariances of 64 samples; those below are biased. */
const c2 = ((0.03 * peak) ** 2 * (windowSize ** 2 - 1)) / windowSize ** 2;
/** Equal planes have an infinite PSNR; libvmaf ends at the same value. */
const maxPsnrDb = 60;

/**
 * Compares two luma planes of one size, at least 8 x 8. SSIM: Wang, Bovik, Sheikh and Simoncelli (2004) with uniform
 * windows of 8 x 8 samples every 4 samples, the mean of all windows. PSNR: of the mean square error, peak 255. The
 * filters ssim and psnr of ffmpeg yield the same, but for dark pictures, where its SSIM has a smaller first constant.
 */
export function similarity(a: Plane, b: Plane): Similarity {
  if (a.width !== b.width || a.height !== b.height) throw new Error('Planes of different sizes cannot be compared.');
  const columns = Math.floor(a.width / windowStep);
  const rows = Math.floor(a.height / windowStep);
  const length = 4 * columns;
  let above = new Float64Array(length);
  let current = new Float64Array(length);
  let ssim = 0;
  for (let row = 0; row < rows; row += 1) {
    sumBlocks(a, b, row * windowStep, current);
    if (row > 0) for (let column = 1; column < columns; column += 1) ssim += ofWindow(above, current, 4 * column);
    [above, current] = [current, above];
  }
  const windows = (rows - 1) * (columns - 1);
  return { ssim: ssim / windows, psnrDb: psnrDb(a, b) };
}

/** Per block of 4 x 4 samples: sums of a, of b, of both squares, of products. */
function sumBlocks(a: Plane, b: Plane, top: number, sums: Float64Array): void {
  for (let at = 0; at < sums.length; at += 4) {
    let sumA = 0;
    let sumB = 0;
    let squares = 0;
    let products = 0;
    for (let y = top; y < top + windowStep; y += 1) {
      const lineA = a.offset + y * a.stride + at;
      const lineB = b.offset + y * b.stride + at;
      for (let x = 0; x < windowStep; x += 1) {
        const valueA = a.bytes[lineA + x] ?? 0;
        const valueB = b.bytes[lineB + x] ?? 0;
        sumA += valueA;
        sumB += valueB;
        squares += valueA * valueA + valueB * valueB;
        products += valueA * valueB;
      }
    }
    sums[at] = sumA;
    sums[at + 1] = sumB;
    sums[at + 2] = squares;
    sums[at + 3] = products;
  }
}

/** The window of the four blocks that end at `at`. */
function ofWindow(above: Float64Array, current: Float64Array, at: number): number {
  const total = (field: number): number =>
    (above[at - 4 + field] ?? 0) +
    (above[at + field] ?? 0) +
    (current[at - 4 + field] ?? 0) +
    (current[at + field] ?? 0);
  const count = windowSize * windowSize;
  const meanA = total(0) / count;
  const meanB = total(1) / count;
  const variances = total(2) / count - meanA * meanA - meanB * meanB;
  const covariance = total(3) / count - meanA * meanB;
  return ((2 * meanA * meanB + c1) * (2 * covariance + c2)) / ((meanA * meanA + meanB * meanB + c1) * (variances + c2));
}

function psnrDb(a: Plane, b: Plane): number {
  let sum = 0;
  for (let y = 0; y < a.height; y += 1) {
    const lineA = a.offset + y * a.stride;
    const lineB = b.offset + y * b.stride;
    for (let x = 0; x < a.width; x += 1) {
      const difference = (a.bytes[lineA + x] ?? 0) - (b.bytes[lineB + x] ?? 0);
      sum += difference * difference;
    }
  }
  return Math.min(maxPsnrDb, 10 * Math.log10((peak * peak * a.width * a.height) / sum));
}
