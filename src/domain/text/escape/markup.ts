import { visible } from '../visibleText';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text within HTML or SVG, as content or as a quoted attribute. */
export function htmlText(text: string): string {
  return visible(text).replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/**
 * Text within XML, as content or as a quoted attribute. XML 1.0 has no form for the other control characters, which are
 * visible by then, nor for U+FFFE and U+FFFF.
 */
export function xmlText(text: string): string {
  return htmlText(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[\t\r\n]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
