import { UsageError } from './usageError';

/** Values of options that several commands have. */

export const inRange = (value: number, from: number, to: number): boolean =>
  Number.isInteger(value) && value >= from && value <= to;

/** An option's whole number within bounds. Throws a `UsageError`. */
export function numberOf(option: string, typed: string, from: number, to: number): number {
  const value = Number(typed);
  if (!inRange(value, from, to)) throw new UsageError(`${option} is "${typed}"; it must be ${from} to ${to}.`);
  return value;
}

const shape = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * An ISO 8601 date or time as Unix ms; local time without a zone. Undefined for anything else, including 31 February.
 */
export function parseTime(text: string): number | undefined {
  const match = shape.exec(text.trim());
  if (!match) return undefined;
  const [, year = '', month = '', day = '', hours = '00', minutes = '00', seconds = '00', part = '', zone = ''] = match;
  // JavaScript would turn 31 February into 3 March.
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return undefined;
  const offset = zone.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2');
  const timeMs = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${part.slice(0, 4)}${offset}`);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
