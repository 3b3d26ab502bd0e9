import { z as zod } from 'zod/v4';

/**
 * zod as the bundles see it (`deferredSchemas` in vite.shared.mjs): a definition is only noted down, and a schema is built
 * when something is first validated with it, the fields of an object when that object first occurs. A start defines
 * every schema of the contract in each process and uses a few; building all of them takes longer than anything else of
 * it. Nothing changes in what is accepted.
 */

type Build = () => unknown;
type Method = (...args: never[]) => unknown;

/** How each deferred schema is built. */
const builds = new WeakMap<object, Build>();
let built = 0;

/** How many definitions have been built so far. */
export const builtSchemas = (): number => built;

/** Methods that make a schema of a schema. Anything else that is read of one builds it. */
const making = new Set(
  (
    'and array catch catchall check clone default describe endsWith extend finite gt gte includes int length loose lt lte ' +
    'max meta min multipleOf negative nonempty nonnegative nonoptional nullable nullish omit optional or overwrite partial ' +
    'pick pipe positive prefault readonly refine regex required safe safeExtend size startsWith strict strip superRefine ' +
    'toLowerCase transform trim url'
  ).split(' '),
);

/** Those whose result has the same fields. */
const keepingFields = new Set(['check', 'describe', 'loose', 'meta', 'refine', 'strict', 'strip', 'superRefine']);
/** Those that take an object's fields. */
const takingFields = new Set(['extend', 'safeExtend']);

/** A definition; `fields` are those of an object as they were written. */
function deferred(build: Build, fields?: object): object {
  let schema: object | undefined;
  const ready = (): object => {
    if (schema === undefined) {
      schema = build() as object;
      built += 1;
    }
    return schema;
  };
  const made = new Proxy(
    {},
    {
      get: (_, key) => {
        if (schema === undefined && key === 'shape' && fields !== undefined) return fields;
        if (schema === undefined && typeof key === 'string' && making.has(key))
          return (...args: unknown[]) =>
            // Without arguments it reads.
            key === 'meta' && args.length === 0
              ? call(ready(), key, args)
              : deferred(
                  () => call(ready(), key, args.map(takingFields.has(key) ? fieldsOf : schemaOf)),
                  fields && fieldsAfter(key, fields, args),
                );
        const value: unknown = Reflect.get(ready(), key);
        return typeof value === 'function' ? (value as Method).bind(ready()) : value;
      },
      set: (_, key, value) => Reflect.set(ready(), key, value),
      has: (_, key) => Reflect.has(ready(), key),
      ownKeys: () => Reflect.ownKeys(ready()),
      getOwnPropertyDescriptor: (_, key) => {
        const found = Reflect.getOwnPropertyDescriptor(ready(), key);
        return found && { ...found, configurable: true };
      },
      getPrototypeOf: () => Reflect.getPrototypeOf(ready()),
    },
  );
  builds.set(made, ready);
  return made;
}

/** The fields of what a method of an object makes, where that is known without making it. */
function fieldsAfter(key: string, fields: object, args: readonly unknown[]): object | undefined {
  if (keepingFields.has(key)) return fields;
  if (key !== 'partial' || args.length > 0) return undefined;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, z.optional(field as zod.ZodType)]));
}

const call = (schema: object, key: string, args: readonly unknown[]): unknown =>
  (Reflect.get(schema, key) as (...all: unknown[]) => unknown).apply(schema, [...args]);

/** What zod is given: never a deferred schema, so that validating costs what it always did. */
function schemaOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const build = builds.get(value);
  if (build) return build();
  return Array.isArray(value) && value.some((each) => typeof each === 'object') ? value.map(schemaOf) : value;
}

/** Fields that zod reads when it first meets such an object. */
function fieldsOf(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null || builds.has(fields)) return schemaOf(fields);
  const all = Object.entries(Object.getOwnPropertyDescriptors(fields)).map(([name, field]) => {
    const read = (): unknown => schemaOf(field.get ? field.get.call(fields) : field.value);
    return [name, { get: read, enumerable: true, configurable: true }] as const;
  });
  return Object.defineProperties({}, Object.fromEntries(all));
}

/** A function of zod that makes a schema, later. */
function later<Make extends Method>(make: Make): Make {
  const act = make as unknown as (...args: unknown[]) => unknown;
  return ((...args: unknown[]) => deferred(() => act(...args.map(schemaOf)))) as unknown as Make;
}

/** One whose first argument are fields. */
function laterWithFields<Make extends Method>(make: Make): Make {
  const act = make as unknown as (...args: unknown[]) => unknown;
  return ((fields: object, ...rest: unknown[]) =>
    deferred(() => act(fieldsOf(fields), ...rest.map(schemaOf)), fields)) as unknown as Make;
}

/** What the product uses of zod; the types are those of zod itself, which the sources import. */
export const z = {
  string: later(zod.string),
  number: later(zod.number),
  boolean: later(zod.boolean),
  null: later(zod.null),
  never: later(zod.never),
  unknown: later(zod.unknown),
  literal: later(zod.literal),
  enum: later(zod.enum),
  url: later(zod.url),
  object: laterWithFields(zod.object),
  strictObject: laterWithFields(zod.strictObject),
  looseObject: laterWithFields(zod.looseObject),
  array: later(zod.array),
  tuple: later(zod.tuple),
  record: later(zod.record),
  partialRecord: later(zod.partialRecord),
  union: later(zod.union),
  discriminatedUnion: later(zod.discriminatedUnion),
  intersection: later(zod.intersection),
  optional: later(zod.optional),
  preprocess: later(zod.preprocess),
  custom: later(zod.custom),
  lazy: (find: () => unknown) => deferred(() => zod.lazy(() => schemaOf(find()) as zod.ZodType)),
  coerce: { string: later(zod.coerce.string), number: later(zod.coerce.number), date: later(zod.coerce.date) },
  iso: { date: later(zod.iso.date), datetime: later(zod.iso.datetime) },
  toJSONSchema: (schema: unknown, options?: object) => zod.toJSONSchema(schemaOf(schema) as zod.ZodType, options),
  fromJSONSchema: zod.fromJSONSchema,
  prettifyError: zod.prettifyError,
  config: zod.config,
  ZodError: zod.ZodError,
};
