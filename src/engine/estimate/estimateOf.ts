import type { Estimate } from '../../domain/estimate/estimate';
import { estimateRun } from '../../domain/estimate/estimateRun';
import type { CapacityView } from '../../domain/node';
import type { RunReader } from '../store';

/** Estimates a run, kept or under way. `capacity` is what iperf3 measured of its origin since, where the run's file does not know. */
export function estimateOf(reader: Pick<RunReader, 'view' | 'values'>, capacity?: CapacityView): Estimate {
  const view = reader.view();
  const known = new Map<string, ReturnType<RunReader['values']>>();
  // A resource may be looked for under several nodes, and each look reads the file.
  const values: RunReader['values'] = (node, series) => {
    const key = `${node}\n${series}`;
    const found = known.get(key) ?? reader.values(node, series);
    known.set(key, found);
    return found;
  };
  return estimateRun({ view, values }, capacity);
}
