/**
 * The value that `percent` of the ascending `sorted` values do not exceed (nearest rank: always a measured value).
 * Undefined without values.
 */
export function percentile(sorted: ArrayLike<number>, percent: number): number | undefined {
  if (sorted.length === 0) return undefined;
  const rank = Math.ceil((percent / 100) * sorted.length);
  return sorted[Math.min(sorted.length, Math.max(1, rank)) - 1];
}
