/** The visible form of a character that would otherwise control a terminal or a page, or be hidden in a text. */
function symbolOf(sign: string): string {
  const code = sign.codePointAt(0) ?? 0;
  // Unicode has a symbol for each control character of C0 and for DEL; one of C1 is ESC and a letter (ECMA-48).
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code < 0xa0) return `\u241b${String.fromCharCode(code - 0x40)}`;
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Characters of format that Arabic, Syriac and Kaithi write with ink. */
export const inkedFormat = '\\u0600-\\u0605\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}';

/**
 * Control characters except tabs and line ends; line and paragraph separators; everything that changes the direction of
 * text or is invisible, apart from the joiners of letters and emoji; halves of surrogate pairs.
 */
const acting = new RegExp(
  `\\r(?!\\n)|[^\\P{Cc}\\t\\r\\n]|[\\p{Zl}\\p{Zp}\\p{Cs}\\u115f\\u1160\\u3164\\uffa0]|(?![\\u200c\\u200d${inkedFormat}])\\p{Cf}`,
  'gu',
);

/**
 * A text of a server, a host, an agent or an untrusted file, made safe to display: on a terminal escapes would move the
 * cursor and forge lines, on a page an override would reverse text. Line ends and tabs stay.
 */
export function visible(text: string): string {
  return text.replace(acting, symbolOf);
}

/** Makes text visible that has to stay on one line. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\t\r\n]/g, symbolOf);
}

/** Makes all texts within a message visible, in place for objects and lists, and returns it. */
export function makeVisible(message: unknown): unknown {
  if (typeof message === 'string') return visible(message);
  if (typeof message !== 'object' || message === null || ArrayBuffer.isView(message)) return message;
  const fields = message as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    // Most values of a message are numbers.
    if (typeof value !== 'string' && typeof value !== 'object') continue;
    const shown = makeVisible(value);
    if (shown !== value) fields[key] = shown;
  }
  return message;
}
