/** Looking at origin and testers before the load. */
export const preflightCalls = {} as const;

/** Calls of it that only the main process may make, since they take paths that a dialog has chosen. */
export const preflightShellCalls = {} as const;

export const preflightEvents = {} as const;
