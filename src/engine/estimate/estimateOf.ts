import type { Estimate } from '../../domain/estimate/estimate';
import { estimateRun } from '../../domain/estimate/estimateRun';
import type { CapacityView } from '../../domain/model/node';
import type { RunReader } from '../store';

/**
 * Estimates capacity from a saved or active run. `capacity`: a later iperf3 measurement of its origin, if the run's
 * file has none.
 */
export function estimateOf(reader: Pick<RunReader, 'view' | 'values'>, capacity?: CapacityView): Estimate {
  const view = reader.view();
  const known = new Map<string, ReturnType<RunReader['values']>>();
  // A resource may be searched under several nodes, and each search reads the file.
  const values: RunReader['values'] = (node, series) => {
    const key = `${node}\n${series}`;
    const found = known.get(key) ?? reader.values(node, series);
    known.set(key, found);
    return found;
  };
  return estimateRun({ view, values }, capacity);
}
