import { findAll, findFirst, type Found } from './pointer';
import type { ValueRule } from './familyFile';

/** Conditions by pointer: anything but nothing, or one of the texts. */
export type Conditions = Readonly<Record<string, boolean | string | readonly string[]>>;

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === '' || value === 0;

/** Whether all hold for the value. `true` is anything but absent, null, false, empty and 0; `false` one of these. */
export const holds = (root: unknown, conditions: Conditions): boolean =>
  Object.entries(conditions).every(([pointer, wanted]) => {
    const values = findAll(root, pointer).map(({ value }) => value);
    if (typeof wanted === 'boolean') return values.some((value) => !isNothing(value)) === wanted;
    const texts = typeof wanted === 'string' ? [wanted] : wanted;
    return values.some((value) => texts.includes(textOf(value) ?? ''));
  });

/** Halves of a character: they can't be part of an address. */
const halves = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** A text or a number as text, with U+FFFD for what is no character. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string'
    ? value.replace(halves, '\ufffd')
    : typeof value === 'number' || typeof value === 'bigint'
      ? String(value)
      : undefined;

/** A number, also as text; the length of a list; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string' && value.trim() === '') return undefined;
  const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** The sum of the numbers at the rule's pointer; with conditions, those that hold are counted. */
export function sumOf(root: unknown, rule: ValueRule): number | undefined {
  const { at, times = 1, plus = 0, where }: Exclude<ValueRule, string> = typeof rule === 'string' ? { at: rule } : rule;
  const found = findAll(root, at);
  const list = found.length === 1 && Array.isArray(found[0]?.value) ? (found[0].value as unknown[]) : undefined;
  if (where)
    return (list ?? found.map(({ value }) => value)).filter((value) => holds(value, where)).length * times + plus;
  const numbers = found.flatMap(({ value }) => numberOf(value) ?? []);
  return numbers.length === 0 ? undefined : numbers.reduce((sum, each) => sum + each, 0) * times + plus;
}

/** The first text at the rule's pointer for which its conditions hold, or what it stands for. */
export function firstText(root: unknown, rule: ValueRule): string | undefined {
  const { at, names = {}, where = {} }: Exclude<ValueRule, string> = typeof rule === 'string' ? { at: rule } : rule;
  const text = textOf(findAll(root, at).find(({ value }) => holds(value, where))?.value);
  return text !== undefined && Object.hasOwn(names, text) ? names[text] : text;
}

/** What a template is filled from: a stream, and the parts of its name. */
export interface Filling extends Found {
  readonly names?: Readonly<Record<string, string>>;
}

/**
 * A template filled in one pass: `{app}` and `{stream}` are the names, `{/pointer}` the stream's first value there, `{/}`
 * the stream where it is a text itself, `{#1}` the first key. Undefined when one of them has no value.
 */
export function fillTemplate(
  { value, keys, names = {} }: Filling,
  template: string,
  write: (text: string) => string = (text) => text,
): string | undefined {
  let isComplete = true;
  const text = template.replace(
    /\{(app|stream|#(\d)|\/[^{}]*)\}/g,
    (whole, hole: string, number: string | undefined) => {
      if (!hole.startsWith('/') && number === undefined && names[hole] === undefined) return whole;
      const filled = hole.startsWith('/')
        ? textOf(hole === '/' ? value : findFirst(value, hole))
        : number === undefined
          ? names[hole]
          : keys[Number(number) - 1];
      if (filled === undefined || filled === '') isComplete = false;
      return write(filled ?? '');
    },
  );
  return isComplete ? text : undefined;
}

/** A template, or a pointer on its own, filled for one stream. Undefined without a value. */
export const fillFrom = (found: Found, template: string): string | undefined =>
  template.startsWith('/') ? textOf(findFirst(found.value, template)) : fillTemplate(found, template);
