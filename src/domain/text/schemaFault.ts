import type { z } from 'zod';
import { nearest } from './closestMatch';

/**
 * The first fault of a file that a person wrote, as one sentence. `kind` names it (`a rule`), `keys` are the keys that it
 * may have, `form` says what it looks like.
 */
export function schemaFault(error: z.ZodError, kind: string, keys: readonly string[], form = 'a map'): string {
  // A misspelt key is the reason why another one is missing.
  const issue =
    error.issues.find(({ code, path }) => code === 'unrecognized_keys' && path.length === 0) ?? error.issues[0];
  if (!issue) return `not ${kind}.`;
  const { path, message } = deepest(issue);
  const place = [...issue.path, ...path].join('.');
  if (issue.code === 'unrecognized_keys') return unknownKey(issue.keys[0] ?? '', place, kind, keys);
  if (place === '') return `not ${kind}: ${form}.`;
  const what = message.startsWith('Invalid input') ? 'is missing or has the wrong type' : message;
  return `${place}: ${what}${what.endsWith('.') ? '' : '.'}`;
}

/** Of a value with several allowed forms, the fault of the form that it comes closest to. */
function deepest(issue: z.core.$ZodIssue): { readonly path: readonly PropertyKey[]; readonly message: string } {
  if (issue.code === 'invalid_key') return { path: [], message: issue.issues[0]?.message ?? issue.message };
  if (issue.code !== 'invalid_union' || !issue.message.startsWith('Invalid input'))
    return { path: [], message: issue.message };
  const inner = issue.errors
    .flatMap((issues) => issues.slice(0, 1))
    .map((each) => {
      const { path, message } = deepest(each);
      const unknown =
        each.code === 'unrecognized_keys' ? `"${each.keys[0] ?? ''}" is not a key that it may have` : message;
      return { path: [...each.path, ...path], message: unknown };
    })
    .sort((a, b) => b.path.length - a.path.length)[0];
  return inner ?? { path: [], message: issue.message };
}

/** A key is quoted only if it is a known one misspelt: the file may be something else. */
function unknownKey(key: string, place: string, kind: string, keys: readonly string[]): string {
  if (place !== '') return `${place}: it has a key that is not allowed there.`;
  const meant = nearest(key, keys);
  return meant === undefined
    ? `it has a key that is not one of ${kind}; allowed: ${keys.join(', ')}.`
    : `"${key}" is not a key of ${kind}; did you mean "${meant}"?`;
}
