import { planDocument } from '../../../domain/plan/planDocument';
import { shortened } from '../../../domain/text/shortened';
import { UnreadableError } from './facts';

/** The value at a path of keys in a YAML file; undefined where missing. Throws an `UnreadableError` for invalid YAML. */
export function yamlAt(text: string, who: string, ...path: readonly string[]): unknown {
  let value: unknown;
  try {
    value = planDocument(text, 'a configuration').document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new UnreadableError(shortened(`${who} is not valid YAML: ${(error as Error).message.split('\n')[0] ?? ''}.`));
  }
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

export function yamlNumberAt(text: string, who: string, ...path: readonly string[]): number | undefined {
  const value = yamlAt(text, who, ...path);
  return typeof value === 'number' ? value : undefined;
}
