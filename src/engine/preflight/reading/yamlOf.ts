import { planDocument } from '../../../domain/plan/planDocument';
import { shortened } from '../../../domain/shortened';
import { UnreadError } from './facts';

/** Whatever a YAML file says at a path of keys; undefined where there is nothing. Throws an `UnreadError` for what is no YAML. */
export function yamlAt(text: string, who: string, ...path: readonly string[]): unknown {
  let value: unknown;
  try {
    value = planDocument(text, 'a configuration').document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new UnreadError(shortened(`${who} is no YAML: ${(error as Error).message.split('\n')[0] ?? ''}.`));
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
