import { prometheusCalls, prometheusEvents } from './prometheusCalls';
import { snapshotCalls, snapshotShellCalls } from './snapshotCalls';

/** Sharing and importing: snapshots without secrets, reports, ranges of a Prometheus, metrics for one. */
export const shareCalls = { ...prometheusCalls, ...snapshotCalls } as const;

/** Its calls for the main process only, since they take paths chosen in a dialog. */
export const shareShellCalls = { ...snapshotShellCalls } as const;

export const shareEvents = { ...prometheusEvents } as const;
