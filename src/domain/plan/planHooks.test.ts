import { describe, expect, it } from 'vitest';
import { hookText, quoted } from './planHooks';

describe('a hook as the person reads it who allows it', () => {
  it('names the program with every argument in quotes of its own', () => {
    expect(hookText({ at: 'end', run: ['notify', 'all done', ''] })).toBe(
      'at end: run "notify" "all done" "" on this machine',
    );
    expect(hookText({ at: 'start', post: 'https://example.org/runs?token=abc' })).toBe(
      "at start: send the run's figures to https://example.org/runs?token=•••",
    );
  });

  it.each([
    ['a line end', 'a\nb', '"a\\nb"'],
    ['a quote', 'a" "b', '"a\\" \\"b"'],
    ['an escape of a terminal', '\u001b[2K', '"\\u001b[2K"'],
    ['another direction of writing', '\u202egpj', '"\\u202egpj"'],
    ['a space without width', 'a\u200bb', '"a\\u200bb"'],
    ['a space that is no space', 'a\u00a0b', '"a\\u00a0b"'],
    ['a line separator', 'a\u2028b', '"a\\u2028b"'],
    ['a sign of two units that shows nothing', '\u{e0041}', '"\\udb40\\udc41"'],
    ['letters of any script', 'Übung 東京 😀', '"Übung 東京 😀"'],
  ])('hides nothing behind %s', (_what, text, expected) => {
    expect(quoted(text)).toBe(expected);
  });
});
