import type { SqlValue } from '../database';

/** Tables whose rows a step may change: those that contain JSON or names. */
export type StepTable = 'meta' | 'series' | 'event' | 'viewer' | 'annotation';
export type Values = readonly SqlValue[];
/** Converts the values of a row (texts decoded) to the next format. Pure. */
type RowStep = (values: Values) => Values;
export type Step = Readonly<Partial<Record<StepTable, RowStep>>>;
export type Json = Readonly<Record<string, unknown>>;

/** Changes JSON objects of `meta` by their key. */
export function inMeta(changes: Readonly<Record<string, (saved: Json) => Json>>): RowStep {
  return ([key, value]) => {
    const change = Object.hasOwn(changes, String(key)) ? changes[String(key)] : undefined;
    return [key ?? null, changedJson(value ?? null, change)];
  };
}

/** Anything but a JSON object stays unchanged: its schema rejects it. */
function changedJson(value: SqlValue, change: ((saved: Json) => Json) | undefined): SqlValue {
  if (!change) return value;
  try {
    const saved: unknown = JSON.parse(String(value));
    return isJson(saved) ? JSON.stringify(change(saved)) : value;
  } catch {
    return value;
  }
}

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
