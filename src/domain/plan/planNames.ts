import { nodeNamePattern } from './nodeReader';
import { streamNameFault } from '../streamName';
import type { PlanField } from './planField';

/** The name of a stream; `what` says what to write. */
export function streamName(field: PlanField, what: string): string {
  const text = field.text(what);
  const fault = streamNameFault(text);
  return fault === undefined ? text : field.fail(fault);
}

/** What could be the name of a node; whether there is one is another question. */
export function nodeName(field: PlanField, what: string): string {
  const text = field.text(what);
  return nodeNamePattern.test(text)
    ? text
    : field.fail(`"${text}" can't be used: letters, digits, ".", "_" and "-" only, at most 64.`);
}
