/** Median, minimum and maximum of several measurements; undefined without any. */
export function spreadOf(values) {
  const sorted = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  if (sorted.length === 0) return undefined;
  const middle = (sorted.length - 1) / 2;
  return {
    median: (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2,
    least: sorted[0],
    most: sorted.at(-1),
  };
}

/** A figure with about three digits. */
export function digits(value) {
  return value >= 100
    ? Math.round(value).toLocaleString('en-US')
    : String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

/** `13.2 % (12.9 to 14.7)`; without the range if both ends are equal. */
export function shown(spread, unit) {
  if (!spread) return '';
  const [median, least, most] = [spread.median, spread.least, spread.most].map(digits);
  return `${median} ${unit}${least === most ? '' : ` (${least} to ${most})`}`;
}
