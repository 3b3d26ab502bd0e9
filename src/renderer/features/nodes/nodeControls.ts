import { originFields } from '../../../domain/plan/fields/nodes';

/** The control of a setting of a node, by its key. */
export function nodeControl<Key extends keyof typeof originFields>(key: Key) {
  const { label = key, placeholder } = originFields[key];
  return { key, label, placeholder };
}
