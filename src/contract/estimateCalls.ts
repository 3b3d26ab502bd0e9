/** What a bounded small load says of a larger one. */
export const estimateCalls = {} as const;

/** Calls of it that only the main process may make, since they take paths that a dialog has chosen. */
export const estimateShellCalls = {} as const;

export const estimateEvents = {} as const;
