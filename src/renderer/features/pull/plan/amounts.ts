import { unitOf } from '../../../parts/fields/fieldControl';
import { labelOf, type FieldOf } from '../../../../domain/plan/fields/fields';
import type { Bounds } from '../../../../domain/plan/fields/kind';
import { parseBitrate, writeBitrate } from '../../../../domain/plan/quantity';
import { formatDelay, formatDuration } from '../../../../domain/text/timeFormat';
import { chosen, typedNumber } from '../../../ui/format/numbers';
import { readDuration } from '../../../ui/format/durations';

/** Numbers of a plan as typed in a form: the unit of a duration is typed, other units follow the field. */

type NumberBounds = Extract<Bounds, { is: 'number' }>;
const isNumber = (bounds: Bounds | undefined): bounds is NumberBounds => bounds?.is === 'number';

/** Fields of numbers, in reading order. */
export type NumberFields<Name extends string> = Readonly<Record<Name, FieldOf<number>>>;
const entriesOf = <Name extends string>(fields: NumberFields<Name>): Array<[Name, FieldOf<number>]> =>
  Object.entries<FieldOf<number>>(fields) as Array<[Name, FieldOf<number>]>;

/** The controls of fields. */
export const controlsOf = <Name extends string>(fields: NumberFields<Name>) =>
  entriesOf(fields).map(([name, field]) => ({ name, label: labelOf(field), help: field.help, unit: unitOf(field) }));

/** Values as their fields show them; absent ones are empty. */
export const amountTexts = <Name extends string>(
  fields: NumberFields<Name>,
  values: Readonly<Partial<Record<Name, number>>>,
): Record<Name, string> =>
  Object.fromEntries(
    entriesOf(fields).map(([name, { kind }]) => {
      const value = values[name];
      return [name, value === undefined ? '' : amountText(kind.bounds, value)];
    }),
  ) as Record<Name, string>;

/** The values of all fields, or the first invalid one. */
export function readAmounts<Name extends string>(
  fields: NumberFields<Name>,
  texts: Readonly<Partial<Record<Name, string>>>,
): { readonly values: Record<Name, number> } | { readonly name: Name; readonly sentence: string } {
  const values = {} as Record<Name, number>;
  for (const [name, { kind }] of entriesOf(fields)) {
    const value = readAmount(kind.bounds, texts[name] ?? '');
    if (typeof value === 'string') return { name, sentence: value };
    values[name] = value;
  }
  return { values };
}

/** A value as its field shows it. */
export const amountText = (bounds: Bounds | undefined, value: number): string =>
  !isNumber(bounds)
    ? chosen(value)
    : bounds.unit === 'ms'
      ? durationText(bounds, value)
      : bounds.unit === 'kbit/s'
        ? writeBitrate(value).replace(/(?=[kMG])/, ' ')
        : chosen(value);

/** Bounded durations are those of networks. */
const durationText = ({ max = Infinity }: NumberBounds, ms: number): string =>
  max < Infinity ? formatDelay(ms) : formatDuration(ms);

/** In the plan's units; one sentence if the text is no value within the bounds. */
export function readAmount(bounds: Bounds | undefined, text: string): number | string {
  if (!isNumber(bounds)) return 'This is not a number.';
  const value =
    bounds.unit === 'ms'
      ? readDuration(text)
      : bounds.unit === 'kbit/s'
        ? parseBitrate(text.replace(/\s+/g, ''))
        : typedNumber(text);
  return value !== undefined && isWithin(bounds, value) ? value : sentenceOf(bounds);
}

function isWithin(
  { isWhole, min = -Infinity, above = -Infinity, max = Infinity }: NumberBounds,
  value: number,
): boolean {
  return value >= min && value > above && value <= max && (!isWhole || Number.isInteger(value));
}

function sentenceOf({ unit, above, min = 0, max = Infinity }: NumberBounds): string {
  const least = min > 0 || above !== undefined ? 'above 0' : 'from 0 on';
  const most = max < Infinity ? `, max ${chosen(max)}` : '';
  if (unit === 'ms')
    return max < Infinity
      ? `Enter a duration with its unit, max ${formatDelay(max)}, e.g. 80 ms.`
      : 'Duration needs a unit: 30 s, 2 min or 1 h.';
  if (unit === 'kbit/s') return 'Enter a rate above 0 with its unit: 800 kbit/s or 1.5 Mbit/s.';
  if (unit === '/s') return 'Enter an arrival rate above 0, in viewers per second.';
  if (unit === '%') return `Enter a percentage ${least}${most}.`;
  return `Enter a whole number ${least}${most}.`;
}
