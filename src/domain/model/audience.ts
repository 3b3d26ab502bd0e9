import type { NodeView } from './node';
import type { Audience } from './plan';
const prefix = 'audience:';

/** Id of one of several audiences by its place in the plan, in place of a node's id. No node can have it as its name. */
export const audienceId = (place: number): string => `${prefix}${place + 1}`;

export const isAudienceId = (node: string): boolean => node.startsWith(prefix);

/** Whether a node pulls an audience: plans name their testers, runs know them by id too. */
export const isTesterOf = ({ by }: Pick<Audience, 'by'>, { id, name }: Pick<NodeView, 'id' | 'name'>): boolean =>
  by.includes(name) || by.includes(id);
