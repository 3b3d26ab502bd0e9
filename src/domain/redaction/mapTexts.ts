import type { FieldRule } from '../model/fieldRule';
import type { Shape } from './classification';

/**
 * A copy of a JSON value with every text of it passed through `change`, keys that are data included. What its shape does
 * not name is left out: another version knows what it means, and this one does not.
 */
export function mapTexts(
  value: unknown,
  shape: Shape,
  change: (text: string, rule: FieldRule) => string,
  parent: Readonly<Record<string, unknown>> = {},
): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => mapTexts(each, shape, change, parent));
  if (typeof value === 'object' && value !== null) return mappedObject(value as Record<string, unknown>, shape, change);
  if (typeof value !== 'string') return value;
  if (typeof shape === 'string') return change(value, shape);
  return change(value, 'of' in shape ? shape.of(parent) : 'foreign');
}

function mappedObject(
  value: Readonly<Record<string, unknown>>,
  shape: Shape,
  change: (text: string, rule: FieldRule) => string,
): unknown {
  const entries = Object.entries(value);
  if (typeof shape === 'object' && 'keys' in shape)
    return Object.fromEntries(
      entries.map(([key, each]) => [change(key, shape.keys), mapTexts(each, shape.values, change, value)]),
    );
  if (typeof shape !== 'object' || !('fields' in shape)) return {};
  const { fields } = shape;
  return Object.fromEntries(
    entries.flatMap(([key, each]) => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      return field === undefined ? [] : [[key, mapTexts(each, field, change, value)]];
    }),
  );
}
