import { isSeries } from '../series/series';
import { planJsonSchema } from '../plan/fields/plan';
import type { JsonSchema } from '../plan/fields/kind';

/**
 * Every field of a plan by its path, of all levels: `nodes.NAME.kubeconfig`. Read from the schema that refuses all other
 * fields, so none is missing.
 */
export function planPaths(): readonly string[] {
  const found = new Set<string>();
  walk(planJsonSchema, '', found);
  return [...found];
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const schemasIn = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

function walk(schema: JsonSchema, path: string, found: Set<string>): void {
  const { anyOf, oneOf, allOf, items, properties, additionalProperties } = schema;
  for (const each of [anyOf, oneOf, allOf].flatMap(schemasIn)) walk(each, path, found);
  if (isSchema(items)) walk(items, path, found);
  if (isSchema(additionalProperties)) walk(additionalProperties, `${path}.NAME`, found);
  for (const [key, each] of Object.entries(isSchema(properties) ? properties : {})) {
    if (!isSchema(each) || each['deprecated'] === true) continue;
    // The path of any series.
    const name = path === 'expect' && isSeries(key) ? 'SERIES' : key;
    const own = path === '' ? name : `${path}.${name}`;
    found.add(own);
    walk(each, own, found);
  }
}
