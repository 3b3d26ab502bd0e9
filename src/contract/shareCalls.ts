import { prometheusCalls, prometheusEvents } from './prometheusCalls';
import { snapshotCalls, snapshotShellCalls } from './snapshotCalls';

/** What leaves the console and comes in from elsewhere: snapshots without secrets, reports, ranges of a Prometheus, figures for one. */
export const shareCalls = { ...prometheusCalls, ...snapshotCalls } as const;

/** Calls of it that only the main process may make, since they take paths that a dialog has chosen. */
export const shareShellCalls = { ...snapshotShellCalls } as const;

export const shareEvents = { ...prometheusEvents } as const;
