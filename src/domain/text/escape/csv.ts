import { visible } from '../visibleText';

/** The signs with which a formula starts in a spreadsheet, in both widths, also after spaces. */
const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/**
 * A cell of a CSV file. A figure is written as it is, an unknown one is empty. A text is quoted where RFC 4180 requires
 * it, and gets an apostrophe if a spreadsheet would compute it.
 */
export function csvCell(given: string | number | undefined): string {
  if (typeof given !== 'string') return given === undefined ? '' : String(given);
  const text = visible(given).replace(formula, "'$&");
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
