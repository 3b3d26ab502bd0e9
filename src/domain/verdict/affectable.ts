import type { SeriesThreshold } from '../model/plan';

/**
 * Whether a host without a free processor, or a tester at its own limit, may have made a series miss its limit. Either
 * loses viewers and never adds one, and target values come from the plan itself.
 */
export function isAffectable({ series, comparison }: Pick<SeriesThreshold, 'series' | 'comparison'>): boolean {
  if (series === 'viewersRequested' || series === 'arrivalRateTarget') return false;
  return !(series === 'viewersConnected' && comparison === '<=');
}
