/** What the window itself can publish. */
export const localSources = ['pattern', 'camera', 'screen'] as const;
export type LocalSource = (typeof localSources)[number];
