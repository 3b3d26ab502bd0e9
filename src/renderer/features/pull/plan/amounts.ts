import type { Bounds } from '../../../../domain/plan/fields/kind';
import { formatDuration } from '../../../../domain/text/timeFormat';
import { chosen, typedNumber } from '../../../ui/format/numbers';
import { readDuration } from '../durations';

/** Numbers of a plan as typed in a form: the unit of a duration is typed, other units follow the field. */

type NumberBounds = Extract<Bounds, { is: 'number' }>;
const isNumber = (bounds: Bounds | undefined): bounds is NumberBounds => bounds?.is === 'number';

/** The unit after a field. */
export function unitOf(bounds: Bounds | undefined): string {
  const unit = isNumber(bounds) ? (bounds.unit ?? '') : '';
  return unit === 'ms' ? '' : unit;
}

/** A value as its field shows it. */
export const amountText = (bounds: Bounds | undefined, value: number): string =>
  isNumber(bounds) && bounds.unit === 'ms' ? formatDuration(value) : chosen(value);

/** In the plan's units; one sentence if the text is no value within the bounds. */
export function readAmount(bounds: Bounds | undefined, text: string): number | string {
  if (!isNumber(bounds)) return 'This is not a number.';
  const value = bounds.unit === 'ms' ? readDuration(text) : typedNumber(text);
  return value !== undefined && isWithin(bounds, value) ? value : sentenceOf(bounds);
}

function isWithin(
  { isWhole, min = -Infinity, above = -Infinity, max = Infinity }: NumberBounds,
  value: number,
): boolean {
  return value >= min && value > above && value <= max && (!isWhole || Number.isInteger(value));
}

function sentenceOf({ unit, min = 0, max = Infinity }: NumberBounds): string {
  const most = max < Infinity ? `, max ${chosen(max)}` : '';
  if (unit === 'ms') return 'Duration needs a unit: 30 s, 2 min or 1 h.';
  if (unit === '/s') return 'Enter an arrival rate above 0, in viewers per second.';
  if (unit === '%') return `Enter a percentage above 0${most}.`;
  return `Enter a whole number ${min > 0 ? 'above 0' : 'from 0 on'}${most}.`;
}
