import type { PullOrder } from '../../load/driver';

/** A member's part of an order. */
export interface OrderPart {
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
