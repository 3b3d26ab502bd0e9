import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { FieldRule } from '../../domain/model/fieldRule';
import {
  annotationShape,
  columnRules,
  eventShape,
  figuresShape,
  metaShapes,
  valueShapes,
  viewerShape,
  type Shape,
} from '../../domain/redaction/classification';
import { metaSchemas } from '../store/format/meta';
import { savedAnnotation, savedEvent, savedFigures, savedViewer } from '../store/format/rows';
import { everyTable } from '../store/tables';

/** What a schema allows in a field: texts that anyone may have written, or the program's own values only. */
type Content = 'text' | 'own' | 'figure';

interface Definition {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly items?: readonly z.ZodType[];
  readonly rest?: z.ZodType | null;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly values?: readonly unknown[];
  readonly in?: z.ZodType;
}

/** Every field of a schema by its path; `*` stands for a key that is data, and `*key` for the key itself. */
function fieldsOf(schema: z.ZodType, path = ''): Map<string, Set<Content>> {
  const found = new Map<string, Set<Content>>();
  const add = (at: string, content: Content): void => void found.set(at, (found.get(at) ?? new Set()).add(content));
  const addAll = (each: z.ZodType, at: string): void => {
    for (const [place, contents] of fieldsOf(each, at)) for (const content of contents) add(place, content);
  };
  const definition = schema._zod.def as unknown as Definition;
  switch (definition.type) {
    case 'object':
      for (const [key, each] of Object.entries(definition.shape ?? {}))
        addAll(each, path === '' ? key : `${path}.${key}`);
      break;
    case 'record':
      if (definition.keyType) addAll(definition.keyType, `${path}.*key`);
      if (definition.valueType) addAll(definition.valueType, `${path}.*`);
      break;
    case 'array':
      if (definition.element) addAll(definition.element, path);
      break;
    case 'tuple':
      for (const item of [...(definition.items ?? []), ...(definition.rest ? [definition.rest] : [])])
        addAll(item, path);
      break;
    case 'union':
      for (const option of definition.options ?? []) addAll(option, path);
      break;
    case 'optional':
    case 'nullable':
    case 'default':
    case 'catch':
    case 'readonly':
      if (definition.innerType) addAll(definition.innerType, path);
      break;
    case 'pipe':
      if (definition.in) addAll(definition.in, path);
      break;
    case 'enum':
      add(path, 'own');
      break;
    case 'literal':
      add(path, definition.values?.some((value) => typeof value === 'string') ? 'own' : 'figure');
      break;
    case 'number':
    case 'boolean':
      add(path, 'figure');
      break;
    // Names of series and charts are `custom`.
    case 'string':
    case 'custom':
      add(path, 'text');
      break;
    default:
      throw new Error(`A schema of type ${definition.type} is not known here.`);
  }
  return found;
}

/** The rules of a shape, by path. */
function rulesOf(shape: Shape, path = ''): Map<string, readonly FieldRule[]> {
  if (typeof shape === 'string') return new Map([[path, [shape]]]);
  if ('of' in shape) return new Map([[path, shape.rules]]);
  if ('keys' in shape) return new Map([[`${path}.*key`, [shape.keys]], ...rulesOf(shape.values, `${path}.*`)]);
  return new Map(
    Object.entries(shape.fields).flatMap(([key, each]) => [...rulesOf(each, path === '' ? key : `${path}.${key}`)]),
  );
}

/** What the reader of a file adds to what is in it. */
const addedByReader = /^integrity\b|^annotation\b/;

describe.each([
  ...Object.entries(metaSchemas)
    .filter(([key]) => key !== 'writer')
    .map(([key, schema]) => [`meta ${key}`, schema, metaShapes[key]] as const),
  ['event', savedEvent, eventShape] as const,
  ['viewer', savedViewer, viewerShape] as const,
  ['annotation', savedAnnotation, annotationShape] as const,
  ['figures', savedFigures, figuresShape] as const,
])('%s', (_, schema, shape = 'foreign') => {
  const fields = fieldsOf(schema);
  const rules = rulesOf(shape);
  it('has each field classified, and no other', () => {
    expect([...fields.keys()].filter((path) => !rules.has(path))).toEqual([]);
    expect([...rules.keys()].filter((path) => !fields.has(path) && !addedByReader.test(path))).toEqual([]);
  });
  it('has no text where it has figures, and no foreign text where it has words of the program', () => {
    const wrong = [...fields].filter(([path, contents]) => {
      const isFigure = (rules.get(path) ?? []).every((rule) => rule === 'figure');
      return contents.has('text') || contents.has('own') ? isFigure : !isFigure;
    });
    expect(wrong.map(([path]) => path)).toEqual([]);
  });
});

it('each text in a table has a rule or a shape', () => {
  for (const { name, columns } of everyTable)
    for (const column of columns.filter(({ type }) => type === 'text')) {
      const isClassified = columnRules[name]?.[column.name] !== undefined;
      const hasShape = column.name === 'value' && (name === 'meta' || valueShapes[name] !== undefined);
      expect(isClassified || hasShape, `${name}.${column.name}`).toBe(true);
    }
});
