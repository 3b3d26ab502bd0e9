/** A cell of the audience bar: 1 % of the requested viewers. */
export type AudienceCell = 'watching' | 'degraded' | 'connecting' | 'empty' | 'failedOnTester' | 'failed';

export interface AudienceCounts {
  readonly requested: number;
  readonly connected: number;
  /** Part of `connected`. */
  readonly degraded: number;
  readonly connecting: number;
  readonly failed: number;
  /** Part of `failed`: those that failed because their tester was exhausted. */
  readonly failedOnTester?: number;
}

const cells = 100;

/**
 * The audience bar as 100 cells: healthy viewers from the left, then degraded, then connecting; server failures at the
 * right end, tester failures before them. A count above 0 takes at least one cell, so one failure in 1,000 is visible.
 */
export function audienceCells(audience: AudienceCounts): readonly AudienceCell[] {
  if (audience.requested <= 0) return Array<AudienceCell>(cells).fill('empty');
  const cellsOf = (count: number): number =>
    count > 0 ? Math.max(1, Math.round((cells * count) / audience.requested)) : 0;
  const failedOnTester = Math.min(audience.failedOnTester ?? 0, audience.failed);
  const wanted = {
    degraded: cellsOf(audience.degraded),
    connecting: cellsOf(audience.connecting),
    failedOnTester: cellsOf(failedOnTester),
    failed: cellsOf(audience.failed - failedOnTester),
  };
  const connected = cellsOf(audience.connected);
  let watching = Math.max(audience.connected > audience.degraded ? 1 : 0, connected - wanted.degraded);
  // Rounding up small counts may exceed the total: the largest count shrinks.
  const others = wanted.degraded + wanted.connecting + wanted.failedOnTester + wanted.failed;
  watching = Math.min(watching, Math.max(0, cells - others));
  const empty = Math.max(0, cells - watching - others);
  return [
    ...Array<AudienceCell>(watching).fill('watching'),
    ...Array<AudienceCell>(wanted.degraded).fill('degraded'),
    ...Array<AudienceCell>(wanted.connecting).fill('connecting'),
    ...Array<AudienceCell>(empty).fill('empty'),
    ...Array<AudienceCell>(wanted.failedOnTester).fill('failedOnTester'),
    ...Array<AudienceCell>(wanted.failed).fill('failed'),
  ].slice(0, cells);
}
