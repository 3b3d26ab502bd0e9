import type { SqlValue } from '../database';

/** Tables whose rows a step may change: those that contain JSON or names. */
export type StepTable = 'meta' | 'series' | 'event' | 'viewer' | 'annotation' | 'figures';
export type Values = readonly SqlValue[];
/** Converts the values of a row (texts decoded) to the next format. Pure. */
type RowStep = (values: Values) => Values;
export type Step = Readonly<Partial<Record<StepTable, RowStep>>>;
export type Json = Readonly<Record<string, unknown>>;

/** Changes JSON objects of `meta` by their key. */
export function inMeta(changes: Readonly<Record<string, (saved: Json) => Json>>): RowStep {
  return ([key, value]) => {
    const change = Object.hasOwn(changes, String(key)) ? changes[String(key)] : undefined;
    // Anything but an object stays unchanged: its schema rejects it.
    return [key ?? null, changedJson(value ?? null, (saved) => (change && isJson(saved) ? change(saved) : saved))];
  };
}

/** Changes the JSON in a column. */
export function inRow(column: number, change: (saved: unknown) => unknown): RowStep {
  return (values) => values.map((value, i) => (i === column ? changedJson(value, change) : value));
}

/** Text that is not JSON stays unchanged. */
function changedJson(value: SqlValue, change: (saved: unknown) => unknown): SqlValue {
  try {
    const saved: unknown = JSON.parse(String(value));
    const now = change(saved);
    return now === saved ? value : JSON.stringify(now);
  } catch {
    return value;
  }
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
