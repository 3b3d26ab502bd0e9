import type { NodeChange } from '../fleet/node';

/** Whether a node reports what happened before the run, as a link does that was interrupted then. */
export function isEarlier(change: NodeChange, startedMs: number): boolean {
  return (timeOf(change) ?? startedMs) < startedMs;
}

/** Undefined for a change without a time, and for pulls: those of another run have other names. */
function timeOf(change: NodeChange): number | undefined {
  if (change.kind === 'server') return change.sample.timeMs;
  return 'timeMs' in change ? change.timeMs : undefined;
}
