import type { Facts } from '../reading/facts';
import type { Need } from '../reading/need';

/** `key = value` lines of WCS; the last one of a duplicate key counts. Pure. */
function properties(text: string): ReadonlyMap<string, string> {
  const properties = new Map<string, string>();
  for (const line of text.split('\n')) {
    const match = /^\s*([^#!\s=:][^\s=:]*)\s*[=:]\s*(.*?)\s*$/.exec(line);
    if (match) properties.set(match[1] ?? '', match[2] ?? '');
  }
  return properties;
}

export const flashphoner: Need = { config: 'flashphoner.properties' };

/** A setting of WCS; undefined where the file lacks it, so that the product's default applies. */
export function wcsSetting(facts: Facts, key: string): string | undefined {
  return properties(facts.config('flashphoner.properties').text).get(key);
}

export function wcsNumber(facts: Facts, key: string): number | undefined {
  const text = wcsSetting(facts, key);
  const value = text === undefined || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Lines for a file, with their path. */
export function linesFor(path: string, lines: readonly string[], then: string): string {
  return [`# ${path}, then ${then}`, ...lines].join('\n');
}

export const restartWcs = 'restart WCS';

/** Lines for flashphoner.properties at its path on this node. */
export function wcsFix(facts: Facts, ...lines: readonly string[]): string {
  return linesFor(facts.config('flashphoner.properties').path, lines, restartWcs);
}

/** A setting in a sentence. */
export function shown(key: string, value: string | undefined, unnamed: string): string {
  return value === undefined ? `${key} is not set (default ${unnamed})` : `${key} is ${value || 'empty'}`;
}
