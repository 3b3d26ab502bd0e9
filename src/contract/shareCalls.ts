/** What leaves the console and comes in from elsewhere: snapshots without secrets, reports, ranges of a Prometheus, figures for one. */
export const shareCalls = {} as const;

/** Calls of it that only the main process may make, since they take paths that a dialog has chosen. */
export const shareShellCalls = {} as const;

export const shareEvents = {} as const;
