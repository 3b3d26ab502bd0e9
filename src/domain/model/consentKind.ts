/** What a field of a plan can do outside of the run itself. */
export const consentKinds = ['program', 'file', 'secret', 'network', 'cluster'] as const;
export type ConsentKind = (typeof consentKinds)[number];
