import type { Handlers } from '../../contract/calls';
import type { estimateCalls } from '../../contract/estimateCalls';
import type { CapacityTests } from '../fleet/capacityTests';
import { readKept, type RunLibrary } from '../store';
import { estimateOf } from './estimateOf';

/** What the engine does for each call of `contract/estimateCalls`. */
export function makeEstimateHandlers({
  library,
  capacity,
}: {
  readonly library: RunLibrary;
  readonly capacity: Pick<CapacityTests, 'of'>;
}): Handlers<keyof typeof estimateCalls> {
  return {
    'estimate.of': ({ run }) =>
      readKept(library, run, (reader) => estimateOf(reader, (node) => capacity.of(node))),
  };
}
