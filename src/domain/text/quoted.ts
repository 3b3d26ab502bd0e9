/**
 * A quoted text in which nothing can hide: line ends, control characters and characters that change the text direction
 * are escaped.
 */
export function quoted(text: string): string {
  return escaped(JSON.stringify(text));
}

/** A text with its invisible characters as escapes. */
export function escaped(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu, (sign) =>
    sign
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
