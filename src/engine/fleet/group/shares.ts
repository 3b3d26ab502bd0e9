import { distributeByWeights } from '../../../domain/model/distribution';
import { viewersToAdd } from '../../../domain/model/viewersToAdd';
import type { PullOrder } from '../../load/driver';

/** A member that can take viewers. */
export interface MemberCapacity {
  readonly weight: number;
  /** Viewers that it has already been given. */
  readonly present: number;
  /** Above this it refuses; absent: unlimited. */
  readonly limit?: number;
}

/**
 * New viewers of each member, so that the totals follow the weights: an audience that grows by a few viewers at a time
 * is spread over all members as well. None gets more than its limit while another has room. Sums to `added`.
 */
export function sharesOf(added: number, members: readonly MemberCapacity[]): readonly number[] {
  const present = members.map((member) => member.present);
  const total = present.reduce((sum, count) => sum + count, added);
  return viewersToAdd(added, targets(total, members), present);
}

/** The totals by weight; what exceeds a member's limit goes to the others. */
function targets(total: number, members: readonly MemberCapacity[]): readonly number[] {
  const full = new Map<number, number>();
  for (;;) {
    const rest = total - [...full.values()].reduce((sum, count) => sum + count, 0);
    const open = members.flatMap((_, place) => (full.has(place) ? [] : [place]));
    const shares = distributeByWeights(
      rest,
      open.map((place) => members[place]?.weight ?? 1),
    );
    const shareOf = (place: number): number => shares[open.indexOf(place)] ?? 0;
    const isOver = (place: number): boolean => shareOf(place) > (members[place]?.limit ?? Infinity);
    const over = open.filter(isOver);
    // All are over: the members refuse what is too much.
    if (over.length === 0 || over.length === open.length)
      return members.map((_, place) => full.get(place) ?? shareOf(place));
    for (const place of over) full.set(place, members[place]?.limit ?? 0);
  }
}

/** A member's part of an order. */
interface OrderPart {
  /** Viewers of the order before its own. */
  readonly offset: number;
  readonly viewers: number;
}

/** The order for a member: its own tokens, addresses and numbers, at its share of the rate. */
export function orderPart(order: PullOrder, { offset, viewers }: OrderPart): PullOrder {
  const { tokens, urls, headers } = order;
  return {
    ...order,
    viewers,
    ratePerSecond: (order.ratePerSecond * viewers) / order.viewers,
    ...(tokens ? { tokens: tokens.slice(offset, offset + viewers) } : {}),
    // Viewer n of the order takes address n, in turn.
    ...(urls
      ? {
          urls: Array.from(
            { length: Math.min(viewers, urls.length) },
            (_, i) => urls[(offset + i) % urls.length] ?? order.url,
          ),
        }
      : {}),
    ...(headers ? { headers: { ...headers, firstViewer: headers.firstViewer + offset } } : {}),
  };
}
