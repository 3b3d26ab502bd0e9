/** How a sign is shown that would act on a terminal or a page in place of standing there. */
function symbolOf(sign: string): string {
  const code = sign.charCodeAt(0);
  // Unicode has a picture for each control character of C0 and for DEL; one of C1 is ESC and a letter (ECMA-48).
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  if (code < 0xa0) return `\u241b${String.fromCharCode(code - 0x40)}`;
  return `<U+${code.toString(16).toUpperCase()}>`;
}

/** Control characters but for tabs and line ends, line and paragraph separators, and what turns the direction of writing. */
const acting = /\r(?!\n)|[^\P{Cc}\t\r\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * A text of a server, a host, an agent or a file of others, so that none of it acts where it is shown: on a terminal escapes would
 * move the cursor and forge lines, on a page an override would turn words round. Line ends and tabs stay.
 */
export function visible(text: string): string {
  return text.replace(acting, symbolOf);
}

/** The same for what has to stay in one line. */
export function visibleLine(text: string): string {
  return visible(text).replace(/[\t\r\n]/g, symbolOf);
}

/** Makes all texts within a message visible, in place where it is an object or a list, and gives it back. */
export function makeVisible(message: unknown): unknown {
  if (typeof message === 'string') return visible(message);
  if (typeof message !== 'object' || message === null || ArrayBuffer.isView(message)) return message;
  const fields = message as Record<string, unknown>;
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    // Most of a message are numbers.
    if (typeof value !== 'string' && typeof value !== 'object') continue;
    const shown = makeVisible(value);
    if (shown !== value) fields[key] = shown;
  }
  return message;
}

/** A value as JSON, with its texts made visible. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'string' ? visible(each) : each));
}
