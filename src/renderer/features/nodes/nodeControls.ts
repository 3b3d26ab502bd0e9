import { labelOf, type FieldOf } from '../../../domain/plan/fields/fields';
import { originFields, testerFields } from '../../../domain/plan/fields/nodes';

const fields = { ...testerFields, ...originFields };

/** The control of a setting of a node, by its key. */
export function nodeControl<Key extends keyof typeof fields>(key: Key) {
  const field: FieldOf<unknown> = fields[key];
  return { key, label: labelOf(field), placeholder: field.placeholder };
}
