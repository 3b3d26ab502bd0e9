import { z } from 'zod';
import type { FieldsOf, ValueOf } from '../domain/plan/fields/fields';
import type { Bounds } from '../domain/plan/fields/kind';
import { maxHeaderValue } from '../domain/plan/headerRules';
import { textWithout } from './names';

/** Schemas of values whose fields are described in `domain/plan/fields`. */

/** How unknown fields of an object are treated: rejected between processes, ignored in saved files. */
export type ObjectSchema = typeof z.object;
export const rejecting = z.strictObject as unknown as ObjectSchema;
export const ignoring: ObjectSchema = z.object;

/** Values with a rule of their own. */
const others = {
  queries: z.record(z.string(), z.string().max(2000)),
  headers: z.record(z.string(), z.string().max(maxHeaderValue)),
  labels: z.record(z.string().min(1).max(317), z.string().max(300)),
  program: z.tuple([z.string().min(1)], z.string()),
  address: z.string().url(),
};

type ShapeOf<Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends { readonly isOptional: true }
    ? z.ZodOptional<z.ZodType<ValueOf<Fields[Name]>>>
    : z.ZodType<ValueOf<Fields[Name]>>;
};

/** The schemas of the described fields by their names. */
export const shapeOf = <Fields extends object>(fields: Fields, object = rejecting): ShapeOf<Fields> =>
  schemasOf(fields as FieldKinds, object) as unknown as ShapeOf<Fields>;

type FieldKinds = Extract<Bounds, { is: 'fields' }>['of'];

function schemasOf(fields: FieldKinds, object: ObjectSchema): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { kind, isOptional }]) => {
      if (!kind.bounds) throw new Error(`The field "${name}" has no bounds.`);
      const schema = schemaOf(kind.bounds, object);
      return [name, isOptional ? schema.optional() : schema];
    }),
  );
}

/** The values of the described fields. */
export const fieldsSchema = <T>(fields: FieldsOf<T>, object = rejecting): z.ZodType<T> =>
  object(shapeOf(fields, object)) as unknown as z.ZodType<T>;

function schemaOf(bounds: Bounds, object: ObjectSchema): z.ZodType {
  switch (bounds.is) {
    case 'number':
      return numberSchema(bounds);
    case 'text': {
      const { max = Infinity, faultOf } = bounds;
      return (faultOf ? textWithout(faultOf) : z.string().trim().min(1)).max(max);
    }
    case 'flag':
      return z.boolean();
    case 'choice':
      return z.enum(bounds.of);
    case 'list': {
      const { of, min = 0, max = Infinity } = bounds;
      return z.array(schemaOf(of, object)).min(min).max(max);
    }
    case 'fields':
      return object(schemasOf(bounds.of, object));
    case 'oneOf': {
      const { tag, of } = bounds;
      const [first, ...more] = Object.entries(of).map(([name, fields]) =>
        object({ [tag]: z.literal(name), ...schemasOf(fields, object) }),
      );
      return first ? z.discriminatedUnion(tag, [first, ...more]) : z.never();
    }
    case 'other':
      return others[bounds.name];
  }
}

function numberSchema({ isWhole, min, above, max }: Extract<Bounds, { is: 'number' }>): z.ZodType {
  let schema = isWhole ? z.number().int() : z.number();
  if (min !== undefined) schema = schema.min(min);
  if (above !== undefined) schema = schema.gt(above);
  return max === undefined ? schema : schema.max(max);
}
