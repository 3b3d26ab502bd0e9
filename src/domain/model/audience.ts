const prefix = 'audience:';

/** Id of one of several audiences by its place in the plan, in place of a node's id. No node can have it as its name. */
export const audienceId = (place: number): string => `${prefix}${place + 1}`;

export const isAudienceId = (node: string): boolean => node.startsWith(prefix);
