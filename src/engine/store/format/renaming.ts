import { currentSeries } from '../../../domain/series/renamed';
import { isJson } from './step';

/** Names of a saved object: each key with its new name, or with a new value. */
export type Changes = Readonly<Record<string, string | ((value: unknown) => unknown)>>;

/** Renames and converts fields of an object; anything but an object stays unchanged. */
export function changed(saved: unknown, changes: Changes): unknown {
  if (!isJson(saved)) return saved;
  return Object.fromEntries(
    Object.entries(saved).map(([key, value]) => {
      const change = Object.hasOwn(changes, key) ? changes[key] : undefined;
      if (typeof change === 'string') return [change, value];
      return [key, change ? change(value) : value];
    }),
  );
}

export const each = (changes: Changes) => (saved: unknown) =>
  Array.isArray(saved) ? saved.map((item) => changed(item, changes)) : saved;
export const inside = (changes: Changes) => (saved: unknown) => changed(saved, changes);
export const oneOf = (names: Readonly<Record<string, string>>) => (saved: unknown) =>
  typeof saved === 'string' && Object.hasOwn(names, saved) ? names[saved] : saved;
/** Of a map: changes its keys, or all of its values. */
export const keysOf = (rename: (key: string) => unknown) => (saved: unknown) =>
  isJson(saved) ? Object.fromEntries(Object.entries(saved).map(([key, value]) => [String(rename(key)), value])) : saved;
export const valuesOf = (change: (value: unknown) => unknown) => (saved: unknown) =>
  isJson(saved) ? Object.fromEntries(Object.entries(saved).map(([key, value]) => [key, change(value)])) : saved;

/** The current id of a series. */
export const series = (saved: unknown): unknown => (typeof saved === 'string' ? currentSeries(saved) : saved);
