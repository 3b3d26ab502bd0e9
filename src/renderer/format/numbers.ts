import { formatFigure, missing, type FigureStyle } from '../../domain/numberFormat';

export { missing };

/** A number as shown, with its unit apart because the unit is drawn one step quieter. */
export interface Figure {
  readonly text: string;
  readonly unit: string;
}

const styles: readonly FigureStyle[] = ['integer', 'tenths', 'hundredths'];

/** A number with commas at the thousands and this many decimals, two at most; an en dash when there is none. */
export function grouped(value: number | undefined, digits = 0): string {
  return formatFigure(value, styles[digits] ?? 'adaptive');
}

/** A number with its unit, with about three digits that matter unless told; without a unit when there is no number. */
export function figure(value: number | undefined, unit: string, digits?: number): Figure {
  const text = digits === undefined ? formatFigure(value, 'adaptive') : grouped(value, digits);
  return { text, unit: text === missing ? '' : unit };
}

/** A number that somebody chose: with the decimals it has, `10`, `0.5`, `1,000`. */
export function chosen(value: number): string {
  return grouped(value, Number.isInteger(value) ? 0 : Number.isInteger(value * 10) ? 1 : 2);
}

/** A number as people type it, with commas at the thousands; undefined when it is none. */
export function typedNumber(text: string): number | undefined {
  const plain = text.trim().replaceAll(',', '');
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : undefined;
}

/** Bytes as GiB, MiB or KiB. */
export function bytesFigure(bytes: number | undefined): Figure {
  if (bytes === undefined) return figure(undefined, '');
  if (bytes >= 2 ** 30) return figure(bytes / 2 ** 30, 'GiB', 1);
  if (bytes >= 2 ** 20) return figure(bytes / 2 ** 20, 'MiB', 1);
  return figure(bytes / 2 ** 10, 'KiB', 0);
}

/** A share of a whole in percent; undefined when there is no whole. */
export function percentOf(part: number, all: number): number | undefined {
  return all > 0 ? (100 * part) / all : undefined;
}

/** `1 viewer`, `2 viewers`, `1,000 viewers`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}
