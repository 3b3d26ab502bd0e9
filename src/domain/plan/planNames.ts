import type { PlanField } from './planField';
import { streamNameFault } from './streamName';

/** Of a plan, and of a run. */
export const longestName = 120;

const longestNodeName = 64;
export const nodeNamePattern = new RegExp(`^[A-Za-z0-9][A-Za-z0-9._-]{0,${longestNodeName - 1}}$`);

/** Why a node can't have this name, one sentence; undefined if it can. */
export function nodeNameFault(name: string): string | undefined {
  return nodeNamePattern.test(name)
    ? undefined
    : `A node name has 1 to ${longestNodeName} letters, digits, ".", "_" or "-", the first a letter or digit; "${name}" is not a valid node name.`;
}

/** The name of a stream; `what` states what to write. */
export const streamName = (field: PlanField, what: string): string => named(field, what, streamNameFault);

/** A valid node name; whether the node exists is checked elsewhere. */
export const nodeName = (field: PlanField, what: string): string => named(field, what, nodeNameFault);

function named(field: PlanField, what: string, faultOf: typeof nodeNameFault): string {
  const text = field.text(what);
  const fault = faultOf(text);
  return fault === undefined ? text : field.fail(fault);
}
