import type { Handlers } from '../../contract/calls';
import type { estimateCalls } from '../../contract/estimateCalls';
import type { CapacityTests } from '../fleet/capacityTests';
import type { SavedRuns } from '../savedRuns/savedRuns';

/** What the engine does for each call of `contract/estimateCalls`. */
export function makeEstimateHandlers({
  saved,
  capacity,
}: {
  readonly saved: SavedRuns;
  readonly capacity: Pick<CapacityTests, 'of'>;
}): Handlers<keyof typeof estimateCalls> {
  return {
    'estimate.of': async ({ run }) => {
      const { from } = (await saved.call('view', { run })).plan.pull;
      return saved.call('estimate', { run, capacity: capacity.of(from) });
    },
  };
}
