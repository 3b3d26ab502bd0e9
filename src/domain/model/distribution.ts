import { formatCount } from '../text/numberFormat';
import type { Plan, Audience } from './plan';

/** An even split of viewers over testers: the first ones take the remainder. */
export function distributeEvenly(viewers: number, parts: number): readonly number[] {
  return distributeByWeights(
    viewers,
    Array.from({ length: parts }, () => 1),
  );
}

/**
 * Viewers split over testers by their weights, default 1, in the order of `by`. Whole numbers that add up to `viewers`.
 */
export function distributeViewers(
  viewers: number,
  by: readonly string[],
  weights: Audience['weights'] = {},
): readonly number[] {
  return distributeByWeights(
    viewers,
    by.map((name) => weightOf(weights, name)),
  );
}

function weightOf(weights: NonNullable<Audience['weights']>, name: string): number {
  return Object.hasOwn(weights, name) ? (weights[name] ?? 1) : 1;
}

/** Whole numbers in proportion to weights, by the largest remainder; of equal ones the first. */
export function distributeByWeights(viewers: number, weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const due = weights.map((weight) => (viewers * weight) / total);
  const shares = due.map(Math.floor);
  const rest = (place: number): number => (due[place] ?? 0) - (shares[place] ?? 0);
  const left = viewers - shares.reduce((sum, share) => sum + share, 0);
  const places = due.map((_, place) => place).sort((a, b) => rest(b) - rest(a) || a - b);
  for (const place of places.slice(0, left)) shares[place] = (shares[place] ?? 0) + 1;
  return shares;
}

/** The largest audience in which `name` gets no more than `share`. */
export function largestWithin(share: number, name: string, { by, weights = {} }: Audience): number {
  const total = by.reduce((sum, tester) => sum + weightOf(weights, tester), 0);
  return Math.floor((share * total) / weightOf(weights, name));
}

/** All audiences of a plan; none of one that only publishes. */
export function audiencesOf({ pull, also = [] }: Pick<Plan, 'pull' | 'also'>): readonly Audience[] {
  return pull ? [pull, ...also] : also;
}

/** Peak viewers of each tester of a plan, over all of its audiences. */
export function viewersPerTester(plan: Pick<Plan, 'pull' | 'also'>): ReadonlyMap<string, number> {
  const all = new Map<string, number>();
  for (const { viewers, by, weights } of audiencesOf(plan))
    distributeViewers(viewers, by, weights).forEach((share, place) => {
      const name = by[place] ?? '';
      all.set(name, (all.get(name) ?? 0) + share);
    });
  return all;
}

/** Shares in one word: `500`, or `333-334` if they differ. */
export function distributionText(shares: readonly number[]): string {
  const [least, most] = shares.length > 0 ? [Math.min(...shares), Math.max(...shares)] : [0, 0];
  return least === most ? formatCount(most) : `${formatCount(least)}-${formatCount(most)}`;
}
