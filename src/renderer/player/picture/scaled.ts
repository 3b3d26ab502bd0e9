import { packedPlane, type Plane } from './plane';

/** Which samples of a line one scaled sample is the weighted mean of. */
interface Weights {
  readonly first: number;
  readonly weights: readonly number[];
}

/**
 * The plane at another size: mean of the covered area where it becomes smaller, as in a browser's encoder (the box
 * filter of libyuv), else linear interpolation.
 */
export function scaled(plane: Plane, width: number, height: number): Plane {
  if (plane.width === width && plane.height === height) return plane;
  const columns = weightsOf(plane.width, width);
  const rows = weightsOf(plane.height, height);
  const narrow = new Float32Array(width * plane.height);
  for (let y = 0; y < plane.height; y += 1) {
    const line = plane.offset + y * plane.stride;
    columns.forEach(({ first, weights }, x) => {
      let sum = 0;
      for (let index = 0; index < weights.length; index += 1)
        sum += (weights[index] ?? 0) * (plane.bytes[line + first + index] ?? 0);
      narrow[y * width + x] = sum;
    });
  }
  const bytes = new Uint8Array(width * height);
  rows.forEach(({ first, weights }, y) => {
    for (let x = 0; x < width; x += 1) {
      let sum = 0;
      for (let index = 0; index < weights.length; index += 1)
        sum += (weights[index] ?? 0) * (narrow[(first + index) * width + x] ?? 0);
      bytes[y * width + x] = Math.round(sum);
    }
  });
  return packedPlane(bytes, width, height);
}

function weightsOf(from: number, to: number): Weights[] {
  const ratio = from / to;
  return Array.from({ length: to }, (_, index) => (ratio > 1 ? area(index, ratio) : linear(index, ratio, from)));
}

function area(index: number, ratio: number): Weights {
  const start = index * ratio;
  const end = (index + 1) * ratio;
  const first = Math.floor(start);
  const count = Math.ceil(end - 1e-9) - first;
  const weights = Array.from(
    { length: count },
    (_, at) => (Math.min(end, first + at + 1) - Math.max(start, first + at)) / ratio,
  );
  return { first, weights };
}

function linear(index: number, ratio: number, from: number): Weights {
  const centre = Math.min(from - 1, Math.max(0, (index + 0.5) * ratio - 0.5));
  const first = Math.min(Math.floor(centre), Math.max(0, from - 2));
  const share = centre - first;
  return { first, weights: from > 1 ? [1 - share, share] : [1] };
}
