import { counted, formatFigure, missing, type FigureStyle } from '../../../domain/text/numberFormat';

export { counted, missing };

/** A number as shown, with a separate unit, which is drawn in a muted colour. */
export interface Figure {
  readonly text: string;
  readonly unit: string;
}

const styles: readonly FigureStyle[] = ['integer', 'tenths', 'hundredths'];

/** A number with thousands separators and up to two decimals; an en dash if missing. */
export function grouped(value: number | undefined, digits = 0): string {
  return formatFigure(value, styles[digits] ?? 'adaptive');
}

/** A number with its unit, by default about three significant digits; no unit if missing. */
export function figure(value: number | undefined, unit: string, digits?: number): Figure {
  const text = digits === undefined ? formatFigure(value, 'adaptive') : grouped(value, digits);
  return { text, unit: text === missing ? '' : unit };
}

/** A configured number with its own decimals: `10`, `0.5`, `1,000`. */
export function chosen(value: number): string {
  return grouped(value, Number.isInteger(value) ? 0 : Number.isInteger(value * 10) ? 1 : 2);
}

/** Parses a number with thousands separators; undefined if invalid. */
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

/** A ratio in percent; undefined if the total is 0 or missing. */
export function percentOf(part: number, all: number): number | undefined {
  return all > 0 ? (100 * part) / all : undefined;
}
