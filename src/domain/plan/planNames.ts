import { visible } from '../text/visibleText';
import type { PlanField } from './planField';
import { streamNameFault } from './streamName';

/** Max length of the name of a plan or run. */
export const longestName = 120;

const longestNodeName = 64;

export const nodeNamePattern = new RegExp(
  `^(?!.*\\p{Default_Ignorable_Code_Point})[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}._-]{0,${longestNodeName - 1}}$`,
  'u',
);

/** For JSON Schemas, whose readers know no classes of Unicode: no signs and spaces of ASCII but ".", "_" and "-". */
export const nodeNameJson = {
  type: 'string',
  pattern: '^[^\\x00-/:-@\\[-`{-\\xa0][^\\x00-,/:-@\\[-^`{-\\xa0]*$',
  maxLength: 2 * longestNodeName,
} as const;

/** Characters that no node name has. */
const notInNodeName = /[^\p{L}\p{M}\p{N}._-]|\p{Default_Ignorable_Code_Point}/u;
const rule = `A node name has 1 to ${longestNodeName} letters and digits of any language, ".", "_" or "-", the first a letter or digit`;

/** Why a node can't have this name, one sentence; undefined if it can. */
export function nodeNameFault(name: string): string | undefined {
  if (nodeNamePattern.test(name)) {
    if (name === name.normalize('NFC')) return undefined;
    return `"${name}" is written with separate accents; write it with composed letters (Unicode NFC).`;
  }
  const [found] = notInNodeName.exec(name) ?? [];
  const place = found === undefined ? 0 : [...name.slice(0, name.indexOf(found))].length + 1;
  const code = (found?.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const why =
    found === undefined
      ? `"${visible(name)}" is not a valid node name.`
      : `"${visible(name)}" is not a valid node name because of U+${code}, its character ${place}.`;
  return `${rule}; ${why}`;
}

/** A text as the name of a node, as far as it can be one; `longest` leaves space for a number. */
export function asNodeName(text: string, longest = 50): string {
  const plain = text
    .normalize('NFC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/[^\p{L}\p{M}\p{N}._-]+/gu, '-')
    .replace(/^[^\p{L}\p{N}]+/u, '');
  return [...plain].slice(0, longest).join('') || 'node';
}

/** The name of a stream; `what` states what to write. */
export const streamName = (field: PlanField, what: string): string => named(field, field.text(what), streamNameFault);

/** A valid node name; whether the node exists is checked elsewhere. */
export const nodeName = (field: PlanField, what: string): string =>
  named(field, field.text(what).normalize('NFC'), nodeNameFault);

function named(field: PlanField, text: string, faultOf: typeof nodeNameFault): string {
  const fault = faultOf(text);
  return fault === undefined ? text : field.fail(fault);
}
