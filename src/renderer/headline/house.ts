/** A seat of the house: 1 % of the viewers asked for. */
export type Seat = 'watching' | 'degraded' | 'connecting' | 'empty' | 'failedHere' | 'failed';

export interface Audience {
  readonly requested: number;
  readonly connected: number;
  /** Part of `connected`. */
  readonly degraded: number;
  readonly connecting: number;
  readonly failed: number;
  /** Part of `failed`: those for whom their tester had nothing left. */
  readonly failedHere?: number;
}

const seats = 100;

/**
 * The house as 100 seats: those who watch from the left, then degraded, then connecting; failed from the right end, before them those that their tester had nothing left for. A
 * count that is not 0 takes at least one seat, so that a single failure among a thousand is seen.
 */
export function houseSeats(audience: Audience): readonly Seat[] {
  if (audience.requested <= 0) return Array<Seat>(seats).fill('empty');
  const seatsOf = (count: number): number =>
    count > 0 ? Math.max(1, Math.round((seats * count) / audience.requested)) : 0;
  const failedHere = Math.min(audience.failedHere ?? 0, audience.failed);
  const wanted = {
    degraded: seatsOf(audience.degraded),
    connecting: seatsOf(audience.connecting),
    failedHere: seatsOf(failedHere),
    failed: seatsOf(audience.failed - failedHere),
  };
  const everybodyIn = seatsOf(audience.connected);
  let watching = Math.max(audience.connected > audience.degraded ? 1 : 0, everybodyIn - wanted.degraded);
  // Rounding up the small counts may need more seats than there are: the large one gives way.
  const others = wanted.degraded + wanted.connecting + wanted.failedHere + wanted.failed;
  watching = Math.min(watching, Math.max(0, seats - others));
  const empty = Math.max(0, seats - watching - others);
  return [
    ...Array<Seat>(watching).fill('watching'),
    ...Array<Seat>(wanted.degraded).fill('degraded'),
    ...Array<Seat>(wanted.connecting).fill('connecting'),
    ...Array<Seat>(empty).fill('empty'),
    ...Array<Seat>(wanted.failedHere).fill('failedHere'),
    ...Array<Seat>(wanted.failed).fill('failed'),
  ].slice(0, seats);
}
