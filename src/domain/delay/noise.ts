import type { Spread } from './spread';

/** `unknown`: a side has a single repeat, and the difference is smaller than what one repeat can show. */
export type DelayChange = 'lower' | 'higher' | 'unchanged' | 'unknown';

/** The repeats of one figure in one table, in ms. */
export interface RepeatedFigure {
  readonly values: readonly number[];
  /** By which each of them may be wrong. */
  readonly uncertaintyMs: number;
}

/** From this number of repeats on both sides, ranks alone can show a change. */
const rankRepeats = 5;
/** Two-sided. Four figures of a path together then claim a change by chance in fewer than 5 % of comparisons. */
const chance = 0.01;
/**
 * By the fewer repeats of both sides: how far their ranges must be apart, as a share of the wider one. Ranges of 3 + 3
 * repeats of one normal distribution are apart in 10 % of all cases, farther than 0.75 of the wider one in 1.3 %; 2 + 2
 * farther than 4 in 1.4 %; 4 + 4 farther than 0.25 in 0.9 %.
 */
const gapShares: Readonly<Record<number, number>> = { 2: 4, 3: 0.75, 4: 0.25 };

/** What one repeat can't show: less than one frame at 25 fps, a quarter of the delay, or three ranges of the other side. */
const single = { leastMs: 40, shareOfDelay: 0.25, ranges: 3 } as const;

const range = ({ least, most }: Spread): number => most - least;

/**
 * Whether a figure has changed beyond the noise. Two kinds of it are kept apart:
 *
 * - What each measurement may be wrong by (±) does not shrink with repeats. So the repeats of the lower side are raised
 *   by the uncertainties of both sides first: what is left of the difference is more than they can explain.
 * - What repeats differ by is chance. From five repeats on both sides, the exact rank test (Mann and Whitney) decides,
 *   at 1 %, since it needs no assumption about the distribution. Fewer repeats can't reach 1 % by their ranks: their
 *   ranges must be apart, by a share of the wider one that grows as the repeats become fewer (see `gapShares`).
 *
 * With a single repeat on a side the noise is unknown: the difference of the medians must exceed the uncertainties and
 * a bound that is larger than usual noise (see `single`), else nothing is claimed.
 */
export function changeOf(
  before: RepeatedFigure & { readonly spread: Spread },
  after: RepeatedFigure & { readonly spread: Spread },
): DelayChange {
  const difference = after.spread.value - before.spread.value;
  const claimed: DelayChange = difference < 0 ? 'lower' : 'higher';
  const [low, high] = difference < 0 ? [after, before] : [before, after];
  const errorMs = low.uncertaintyMs + high.uncertaintyMs;
  const fewer = Math.min(low.values.length, high.values.length);
  const widerMs = Math.max(range(low.spread), range(high.spread));
  if (fewer < 2) {
    const boundMs = Math.max(single.leastMs, single.shareOfDelay * high.spread.value, single.ranges * widerMs);
    return Math.abs(difference) > errorMs + boundMs ? claimed : 'unknown';
  }
  if (fewer >= rankRepeats) {
    const raised = low.values.map((value) => value + errorMs);
    return chanceOfRanks(raised, high.values) <= chance ? claimed : 'unchanged';
  }
  const gapMs = high.spread.least - low.spread.most - errorMs;
  return gapMs > (gapShares[fewer] ?? 0) * widerMs ? claimed : 'unchanged';
}

/**
 * Exact two-sided probability that values of one distribution are split at least as clearly as `lower` and `higher`, by
 * their ranks; 1 if `lower` is not lower.
 */
function chanceOfRanks(lower: readonly number[], higher: readonly number[]): number {
  let wins = 0;
  for (const low of lower) for (const high of higher) wins += low > high ? 1 : low === high ? 0.5 : 0;
  const pairs = lower.length * higher.length;
  if (wins * 2 >= pairs) return 1;
  const ways = waysByWins(lower.length, higher.length);
  const all = ways.reduce((sum, each) => sum + each, 0);
  const asClear = ways.slice(0, Math.ceil(wins) + 1).reduce((sum, each) => sum + each, 0);
  return Math.min(1, (2 * asClear) / all);
}

/** How many orders of `n` and `m` values have 0, 1, 2 ... pairs in which one of the first is above one of the second. */
function waysByWins(n: number, m: number): readonly number[] {
  // Coefficients of the Gaussian binomial: the product of (1 - x^(m + i)) / (1 - x^i) for i from 1 to n.
  const ways = Array.from<unknown, number>({ length: n * m + 1 }, (_, wins) => (wins === 0 ? 1 : 0));
  for (let i = 1; i <= n; i += 1) {
    for (let at = n * m; at >= m + i; at -= 1) ways[at] = (ways[at] ?? 0) - (ways[at - m - i] ?? 0);
    for (let at = i; at <= n * m; at += 1) ways[at] = (ways[at] ?? 0) + (ways[at - i] ?? 0);
  }
  return ways;
}
