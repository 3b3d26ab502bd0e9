/** What people keep with runs: tags, notes, baselines; and runs held against each other. */
export const libraryCalls = {} as const;

/** Calls of it that only the main process may make, since they take paths that a dialog has chosen. */
export const libraryShellCalls = {} as const;

export const libraryEvents = {} as const;
