import type { FieldOf } from '../../../domain/plan/fields/fields';
import { originFields, testerFields } from '../../../domain/plan/fields/nodes';

const fields = { ...testerFields, ...originFields };

/** The description of a setting of a node, by its key. */
export const nodeField = (key: keyof typeof fields): FieldOf<unknown> => fields[key];
