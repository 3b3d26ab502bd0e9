/** Folder of runs, relative to the current one. */
export const defaultOut = 'runs';
