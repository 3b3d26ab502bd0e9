import { nodeNamePattern } from './nodeReader';
import type { PlanField } from './planField';

const streamPattern = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/;

/** The name of a stream; `what` says what to write. */
export function streamName(field: PlanField, what: string): string {
  const text = field.text(what);
  return streamPattern.test(text)
    ? text
    : field.fail(`"${text}" can't be used: letters, digits, ".", "_", "-" and "/" only, at most 128.`);
}

/** What could be the name of a node; whether there is one is another question. */
export function nodeName(field: PlanField, what: string): string {
  const text = field.text(what);
  return nodeNamePattern.test(text)
    ? text
    : field.fail(`"${text}" can't be used: letters, digits, ".", "_" and "-" only, at most 64.`);
}
