/** An area of the page, CSS pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const width = ({ left, right }: Box): number => right - left;
export const height = ({ top, bottom }: Box): number => bottom - top;

/** Rounding of up to a pixel is neither a cut nor a collision. */
export const air = 1;

export const common = (a: Box, b: Box): Box => ({
  left: Math.max(a.left, b.left),
  top: Math.max(a.top, b.top),
  right: Math.min(a.right, b.right),
  bottom: Math.min(a.bottom, b.bottom),
});

export const overlaps = (a: Box, b: Box): boolean => {
  const both = common(a, b);
  return width(both) > air && height(both) > air;
};

export const isWithin = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left - air &&
  inner.right <= outer.right + air &&
  inner.top >= outer.top - air &&
  inner.bottom <= outer.bottom + air;

/** Each pair of two lists that overlaps, in order of their tops. */
export function overlappingPairs<T extends { readonly box: Box }>(items: readonly T[]): (readonly [T, T])[] {
  const sorted = [...items].sort((a, b) => a.box.top - b.box.top);
  return sorted.flatMap((one, at) => {
    const found: (readonly [T, T])[] = [];
    for (let next = at + 1; next < sorted.length; next += 1) {
      const other = sorted[next] as T;
      if (other.box.top >= one.box.bottom - air) break;
      if (overlaps(one.box, other.box)) found.push([one, other]);
    }
    return found;
  });
}
