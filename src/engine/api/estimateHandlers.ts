import type { Handlers } from '../../contract/calls';
import type { estimateCalls } from '../../contract/estimateCalls';
import { firstOrigin } from '../../domain/model/publisherGroup';
import type { CapacityMeasurements } from '../fleet/capacityMeasurements';
import type { SavedRuns } from '../savedRuns/savedRuns';

/** Implements the calls of `contract/estimateCalls`. */
export function makeEstimateHandlers({
  saved,
  capacity,
}: {
  readonly saved: SavedRuns;
  readonly capacity: Pick<CapacityMeasurements, 'of'>;
}): Handlers<keyof typeof estimateCalls> {
  return {
    'estimate.of': async ({ run }) => {
      const from = firstOrigin((await saved.call('view', { run })).plan);
      return saved.call('estimate', { run, capacity: capacity.of(from) });
    },
  };
}
