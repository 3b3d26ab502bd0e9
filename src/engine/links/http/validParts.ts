import type { z } from 'zod';

/** What is valid of a response. */
export type ValidParts<T> =
  | {
      readonly isUsable: true;
      readonly data: T;
      /** What was left out, e.g. `streams.*.id: expected string`; each kind once. */
      readonly invalid: readonly string[];
    }
  | {
      readonly isUsable: false;
      /** The first fault. */
      readonly fault: string;
    };

type Place = ReadonlyArray<PropertyKey>;

/** Each round removes what the one before made incomplete: no response is nested deeper. */
const maxRounds = 16;
/** For a message: the first few show what is wrong. */
const maxNamed = 3;

/**
 * Validates a response part by part: an invalid value counts as absent, and an entry that needs it is left out, so that
 * the others remain.
 */
export function validParts<T>(schema: z.ZodType<T>, raw: unknown): ValidParts<T> {
  let rest = raw;
  const faults = new Set<string>();
  for (let round = 0; round < maxRounds; round += 1) {
    const parsed = schema.safeParse(rest);
    if (parsed.success) return { isUsable: true, data: parsed.data, invalid: [...faults].slice(0, maxNamed) };
    // Faults of later rounds follow from those of the first.
    if (round === 0) {
      for (const { path, message } of parsed.error.issues) faults.add(faultText(path, message));
      rest = copyOf(raw);
    }
    if (!parsed.error.issues.every((issue) => isRemovable(rest, issue))) break;
    remove(
      rest,
      parsed.error.issues.map(({ path }) => path),
    );
  }
  return { isUsable: false, fault: [...faults][0] ?? 'answer: unknown' };
}

/** A copy of what was parsed from JSON or XML: Electron 22 has no structuredClone. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, copyOf(child)]));
}

function faultText(path: Place, message: string): string {
  const place = path.map((key) => (typeof key === 'number' ? '*' : String(key))).join('.');
  return `${place || 'answer'}: ${message}`;
}

/** The response itself is not removable, nor is what should be its list: without it "none" would be shown. */
function isRemovable(root: unknown, { path, ...issue }: z.core.$ZodIssue): boolean {
  const value = valueAt(root, path);
  const isList = 'expected' in issue && issue.expected === 'array';
  if (isList && path.length === 1 && value !== null && value !== undefined) return false;
  return path.length > (value === undefined ? 1 : 0);
}

/** Removes the value at each path, or what contains it where there is none. Entries last to first. */
function remove(root: unknown, paths: readonly Place[]): void {
  const entries = new Map<unknown[], Set<number>>();
  for (const path of paths) {
    const place = valueAt(root, path) === undefined ? path.slice(0, -1) : path;
    const key = place.at(-1);
    const parent = valueAt(root, place.slice(0, -1));
    if (Array.isArray(parent)) entries.set(parent, (entries.get(parent) ?? new Set()).add(Number(key)));
    else if (typeof parent === 'object' && parent !== null && key !== undefined) Reflect.deleteProperty(parent, key);
  }
  for (const [list, gone] of entries) {
    const left = list.filter((_, index) => !gone.has(index));
    list.splice(0, list.length, ...left);
  }
}

function valueAt(root: unknown, path: Place): unknown {
  let value = root;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
