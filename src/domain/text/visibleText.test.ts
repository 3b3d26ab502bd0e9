import { expect, it } from 'vitest';
import { makeVisible, visible, visibleLine } from './visibleText';

it('shows control characters as symbols', () => {
  expect(visible('\u001b[2J\u001b]0;owned\u0007')).toBe('␛[2J␛]0;owned␇');
  expect(visible('\u0000\u0008\u007f \u009b31m')).toBe('␀␈␡ ␛[31m');
  expect(visible('gpj.\u202efdp')).toBe('gpj.<U+202E>fdp');
  expect(visible('a\u2066b\u2069 \u2028')).toBe('a<U+2066>b<U+2069> <U+2028>');
  expect(visible('all in\rall out')).toBe('all in␍all out');
});

it('leaves every other text unchanged', () => {
  const text = 'v=0\r\na=b\tc\n\u00a0Zürich 東京 🎬 שלום “–”';
  expect(visible(text)).toBe(text);
  expect(visibleLine('a\r\nb\tc')).toBe('a␍␊b␉c');
});

it('leaves no control character', () => {
  const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join('x');
  expect(visibleLine(all)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
});

it('processes a complete message, except its bytes', () => {
  const bytes = new Uint8Array([27, 91]);
  const message = { list: ['\u001b', 1, null, { deep: '\u202e' }], bytes };
  expect(makeVisible(message)).toBe(message);
  expect(message).toEqual({ list: ['␛', 1, null, { deep: '<U+202E>' }], bytes });
  expect([...bytes]).toEqual([27, 91]);
});
