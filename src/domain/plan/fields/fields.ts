import type { PlanField } from '../planField';
import { flow } from '../yamlText';
import type { JsonSchema, Kind, ReadKind } from './kind';

/** The description of a field that is read: all that readers, schemas and docs derive from. */
interface ReadFieldOf<T> {
  /** Name in YAML, and in paths of errors. */
  readonly key: string;
  readonly kind: ReadKind<T>;
  /** One sentence for docs and editors. */
  readonly help: string;
  /** What to write; default that of its record. */
  readonly write?: string;
  /** What to add if it is missing; default `write`. */
  readonly missing?: string;
  /** What its absence means, for the docs; otherwise an absent field without a default is a fault. */
  readonly absent?: string;
  /** Deprecated names: still read, with a warning. */
  readonly oldKeys?: readonly string[];
}

/** The description of a field that is written too, and of its control in forms. */
export interface FieldOf<T> extends ReadFieldOf<T> {
  readonly kind: Kind<T>;
  /** Label of its control in forms. */
  readonly label?: string;
  /** Beside its control, if not the unit of its kind. */
  readonly unit?: string;
  /** Shown in its empty control. */
  readonly placeholder?: string;
  /** Value if it is absent. */
  readonly default?: T;
  /** Initial value in forms. */
  readonly example?: T;
}

/** Fields by their name in the value; one that the value may lack is marked. */
export type FieldsOf<T> = {
  readonly [Name in keyof T]-?: FieldOf<NonNullable<T[Name]>> &
    (undefined extends T[Name]
      ? { readonly isOptional: true; readonly absent: string }
      : { readonly isOptional?: never });
};

/** Fields that are only read, by their name in the value. */
export type ReadFields = Readonly<Record<string, ReadFieldOf<unknown> & { readonly isOptional?: true }>>;

/** The value that a field describes. */
export type ValueOf<Field> = Field extends { readonly kind: { read: (...args: never) => infer Value } } ? Value : never;
type OptionalIn<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly isOptional: true } ? Name : never;
}[keyof Fields];
/** The values that the fields describe. */
type ValuesOf<Fields> = { readonly [Name in Exclude<keyof Fields, OptionalIn<Fields>>]: ValueOf<Fields[Name]> } & {
  readonly [Name in OptionalIn<Fields>]?: ValueOf<Fields[Name]>;
};

type AnyFields = Readonly<Record<string, FieldOf<unknown> & { readonly isOptional?: true }>>;
const entriesOf = (fields: object): Array<[string, AnyFields[string]]> => Object.entries(fields as AnyFields);

/** The values in the YAML of a map, of which `given` are the fields, e.g. of `mapOf`. */
export function readFields<const Fields extends object>(
  item: PlanField,
  given: ReadonlyMap<string, PlanField>,
  fields: Fields,
  write: string,
): ValuesOf<Fields> {
  const values: Record<string, unknown> = {};
  for (const [name, each] of entriesOf(fields)) {
    const isNeeded = each.default === undefined && each.isOptional === undefined;
    const what = each.write ?? write;
    const field = isNeeded ? item.required(given, each.key, each.missing ?? what) : given.get(each.key);
    const value = field ? each.kind.read(field, what) : each.default;
    if (value !== undefined) values[name] = value;
  }
  return values as ValuesOf<Fields>;
}

/** The fields of a map in YAML by their current keys; unknown ones are a fault. */
export function mapOf(item: PlanField, ...all: readonly object[]): Map<string, PlanField> {
  const described = all.flatMap((fields) => entriesOf(fields).map(([, each]) => each));
  const renamed = described.flatMap(({ key, oldKeys = [] }) => oldKeys.map((old) => [old, key] as const));
  return item.map([...new Set(described.map(({ key }) => key))], { renamed: new Map(renamed) });
}

/** The label of a field's control. */
export const labelOf = ({ label, key }: Pick<FieldOf<unknown>, 'label' | 'key'>): string => label ?? key;

/** Some of the fields. */
export const only = <Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  names: readonly Name[],
): Pick<Fields, Name> => Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Fields, Name>;

/** The values of the fields that have a default. */
export function defaultsOf<T>(fields: FieldsOf<T>): Partial<T> {
  const given = entriesOf(fields).filter(([, each]) => each.default !== undefined);
  return Object.fromEntries(given.map(([name, each]) => [name, each.default])) as Partial<T>;
}

/** The initial values of a form: examples, else defaults. */
export const examplesOf = <T>(fields: FieldsOf<T>): T =>
  Object.fromEntries(entriesOf(fields).map(([name, { default: usual, example = usual }]) => [name, example])) as T;

/** The YAML of each present value, by its key. */
export function writeFields<T extends object>(fields: FieldsOf<T>, values: Partial<T>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, each] of entriesOf(fields)) {
    const value = values[name as keyof T];
    if (value !== undefined) texts[each.key] = each.kind.write(value);
  }
  return texts;
}

/** A map with these fields; `write` is an example. */
export function mapKind<T extends object>(fields: FieldsOf<T>, words = 'map'): Kind<T> {
  return {
    read: (item, write) => readFields(item, mapOf(item, fields), fields, write) as T,
    write: (value) => flow(writeFields(fields, value)),
    json: jsonOf(fields),
    words,
    bounds: { is: 'fields', of: fields as unknown as AnyFields },
  };
}

/** The JSON Schema of a map with the fields of all given records. */
export function jsonOf(...all: readonly object[]): JsonSchema {
  const described = all.flatMap((fields) => entriesOf(fields).map(([, each]) => each));
  return {
    type: 'object',
    additionalProperties: false,
    required: described.filter((each) => each.default === undefined && each.absent === undefined).map(({ key }) => key),
    properties: Object.fromEntries(
      described.flatMap((each): Array<[string, JsonSchema]> => [
        [
          each.key,
          {
            description: plainText(each.help),
            ...each.kind.json,
            ...(each.default === undefined ? {} : { default: each.kind.write(each.default) }),
          },
        ],
        ...(each.oldKeys ?? []).map((old): [string, JsonSchema] => [
          old,
          { description: `Deprecated: use ${each.key}.`, deprecated: true },
        ]),
      ]),
    ),
  };
}

/** A description without its Markdown. */
export const plainText = (markdown: string): string => markdown.replace(/`|\[([^\]]*)\]\([^)]*\)/g, '$1');

/** One row of the docs' table. */
export interface FieldRow {
  readonly path: string;
  readonly values: string;
  readonly default: string;
  readonly help: string;
}

/** The docs' rows of some fields below a path. */
export function rowsOf(path: string, fields: object): FieldRow[] {
  return entriesOf(fields).map(([, each]) => ({
    path: path ? `${path}.${each.key}` : each.key,
    values: each.kind.words,
    default: each.default !== undefined ? `\`${each.kind.write(each.default)}\`` : (each.absent ?? 'required'),
    help: each.help,
  }));
}
