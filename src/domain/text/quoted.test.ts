import { expect, it } from 'vitest';
import { quoted } from './quoted';

it.each([
  ['a line end', 'a\nb', '"a\\nb"'],
  ['a quote', 'a" "b', '"a\\" \\"b"'],
  ['an escape of a terminal', '\u001b[2K', '"\\u001b[2K"'],
  ['a change of text direction', '\u202egpj', '"\\u202egpj"'],
  ['a zero-width space', 'a\u200bb', '"a\\u200bb"'],
  ['a non-breaking space', 'a\u00a0b', '"a\\u00a0b"'],
  ['a line separator', 'a\u2028b', '"a\\u2028b"'],
  ['an invisible surrogate pair', '\u{e0041}', '"\\udb40\\udc41"'],
  ['letters of any script', 'Übung 東京 😀', '"Übung 東京 😀"'],
])('hides nothing behind %s', (_what, text, expected) => {
  expect(quoted(text)).toBe(expected);
});
