import { describe, expect, it } from 'vitest';
import type { PlanHook } from '../model/plan';
import type { PlanTokens } from '../model/viewerTokens';
import { samplePlan } from '../../../tests/support/samplePlan';
import { externalTexts, quoted } from './planHooks';

const hookText = (hook: PlanHook): string => externalTexts(samplePlan({}, { hooks: [hook] }))[0] ?? '';

describe('the text of a hook that the user allows', () => {
  it('names the program with every argument in quotes', () => {
    expect(hookText({ at: 'end', run: ['notify', 'all done', ''] })).toBe(
      'at end: run "notify" "all done" "" on this machine',
    );
    expect(hookText({ at: 'start', post: 'https://example.org/runs?token=abc' })).toBe(
      "at start: send the run's figures to https://example.org/runs?token=•••",
    );
  });

  it('names the program that writes the tokens of viewers', () => {
    const tokens = (command: PlanTokens['command']) => externalTexts(samplePlan({ tokens: { command } }));
    expect(tokens(['make-tokens', 'cam 1'])).toEqual([
      'before viewers connect: run "make-tokens" "cam 1" on this machine, for their tokens',
    ]);
    expect(tokens(undefined)).toEqual([]);
  });

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
});
