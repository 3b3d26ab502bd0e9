import type { Plane } from './plane';

/** Grids of transform and prediction blocks in common codecs, in samples from the top left corner. */
const grids = [4, 8, 16] as const;
/** Grey levels added to both sides of the ratio: differences far below one level are invisible. */
const floorLevels = 0.5;

/**
 * Blockiness: differences between neighbouring samples across block borders, relative to those inside blocks (Wang,
 * Sheikh and Bovik, 2002); 1 without blocks. A border counts by how much its mean difference exceeds that of the lines
 * beside it (Muijs and Kirenko, 2005), and of all borders the median is used, so that edges of the content do not
 * matter. Of the grids 4, 8 and 16 the one with the largest value counts. `bands` are parts of one luma plane that start
 * at multiples of 16 lines.
 */
export function blockiness(bands: readonly Plane[]): number | undefined {
  const directions = [[columnDifferences(bands)], bands.map(rowDifferences)];
  const inside = sum(directions.map((profiles) => median(profiles.flatMap((profile) => insideLevels(profile)))));
  const ratios = grids.map((grid) => {
    const excess = sum(
      directions.map((profiles) => Math.max(0, median(profiles.flatMap((profile) => excessLevels(profile, grid))))),
    );
    return 1 + excess / (inside + 2 * floorLevels);
  });
  const highest = Math.max(...ratios);
  return Number.isFinite(highest) ? highest : undefined;
}

/** Mean difference of each column from the one before it, over all bands; that of the first one is 0. */
function columnDifferences(bands: readonly Plane[]): Float64Array {
  const width = bands[0]?.width ?? 0;
  const sums = new Float64Array(width);
  let lines = 0;
  for (const { bytes, offset, stride, height } of bands) {
    lines += height;
    for (let y = 0; y < height; y += 1) {
      const line = offset + y * stride;
      let before = bytes[line] ?? 0;
      for (let x = 1; x < width; x += 1) {
        const value = bytes[line + x] ?? 0;
        sums[x] = (sums[x] ?? 0) + Math.abs(value - before);
        before = value;
      }
    }
  }
  return sums.map((total) => total / lines);
}

/** Mean difference of each line from the one before it. */
function rowDifferences({ bytes, offset, stride, width, height }: Plane): Float64Array {
  const means = new Float64Array(height);
  for (let y = 1; y < height; y += 1) {
    const line = offset + y * stride;
    let total = 0;
    for (let x = 0; x < width; x += 1) total += Math.abs((bytes[line + x] ?? 0) - (bytes[line + x - stride] ?? 0));
    means[y] = total / width;
  }
  return means;
}

/** On no grid. */
function insideLevels(profile: Float64Array): number[] {
  return [...profile].filter((_, at) => at % Math.min(...grids) !== 0);
}

/** How much each border of a grid exceeds the two lines on both of its sides, which are inside all grids. */
function excessLevels(profile: Float64Array, grid: number): number[] {
  const excess: number[] = [];
  for (let at = grid; at + 2 < profile.length; at += grid) {
    const beside = [-2, -1, 1, 2].map((step) => profile[at + step] ?? 0);
    excess.push((profile[at] ?? 0) - sum(beside) / beside.length);
  }
  return excess;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
