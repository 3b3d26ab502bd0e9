import { labelOf, type FieldOf } from '../../../domain/plan/fields/fields';
import { originFields } from '../../../domain/plan/fields/nodes';

/** The control of a setting of a node, by its key. */
export function nodeControl<Key extends keyof typeof originFields>(key: Key) {
  const field: FieldOf<unknown> = originFields[key];
  return { key, label: labelOf(field), placeholder: field.placeholder };
}
