import type { SeriesThreshold } from '../plan/plan';

/**
 * Whether a host without a processor to spare, or a tester at its own limit, may have made a series miss its limit. Either loses viewers and
 * never adds one, and what the plan asks for is the plan's own.
 */
export function isSpoilable({ series, comparison }: Pick<SeriesThreshold, 'series' | 'comparison'>): boolean {
  if (series === 'viewersRequested' || series === 'arrivalRateAsked') return false;
  return !(series === 'viewersConnected' && comparison === '<=');
}
