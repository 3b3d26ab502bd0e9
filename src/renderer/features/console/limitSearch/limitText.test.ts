import { describe, expect, it } from 'vitest';
import type { LimitResult } from '../../../../domain/model/limitFound';
import { limitFigure, currentStepText, panelSentence, causeText } from './limitText';

const limit = (over: Partial<LimitResult>): LimitResult => ({
  state: 'searching',
  repeats: 0,
  trials: [],
  sentence: 'The sentence.',
  ...over,
});

describe('the main figure', () => {
  it.each<[Partial<LimitResult>, string | undefined]>([
    [{ state: 'found', viewers: 1262, plusMinus: 6 }, 'Limit: 1,262 ± 6 viewers'],
    [{ viewers: 262, plusMinus: 6, repeats: 1 }, 'Limit so far: 262 ± 6 viewers'],
    [{ now: { kind: 'try', viewers: 320 } }, 'Trying: 320 viewers'],
    [{ now: { kind: 'recover', viewers: 1 } }, 'Recovering at: 1 viewer'],
    [{ state: 'not-reached', maxMet: 800 }, 'Passed: ≥ 800 viewers'],
    [{ state: 'tester-limited', maxMet: 400 }, 'Passed: ≥ 400 viewers'],
    [{ state: 'unknown' }, undefined],
  ])('of %j is %s', (over, text) => {
    const figure = limitFigure(limit(over));
    expect(figure && `${figure.label}: ${figure.value} ${figure.unit}`).toBe(text);
  });
});

it('describes the current step', () => {
  expect(currentStepText(limit({ now: { kind: 'try', viewers: 320 } }))).toBe('Repeat 1: trying 320 viewers.');
  expect(currentStepText(limit({ repeats: 2, now: { kind: 'recover', viewers: 160 } }))).toBe(
    'Repeat 3: down to 160 viewers to recover.',
  );
  expect(currentStepText(limit({ state: 'found' }))).toBeUndefined();
});

it('does not repeat the figure', () => {
  const found = { state: 'found', viewers: 262, plusMinus: 6, maxMet: 256, minMissed: 268 } as const;
  expect(panelSentence(limit({ ...found, repeats: 3 }))).toBe('Found 3 times: 256 always passed, 268 failed.');
  expect(panelSentence(limit({ ...found, repeats: 0 }))).toMatch(/^Stopped before/);
  const given = {
    viewers: 250,
    repeat: 2,
    fromMs: 0,
    toMs: 0,
    result: 'tester-limited',
    sentence: 'CPU 97 %.',
  } as const;
  expect(panelSentence(limit({ ...found, repeats: 1, trials: [given] }))).toBe(
    'Found once: 256 always passed, 268 failed. Another repeat was aborted: CPU 97 %.',
  );
  expect(panelSentence(limit({ maxMet: 100 }))).toBe('The sentence.');
  const trial = { viewers: 252, repeat: 1, fromMs: 0, toMs: 0, result: 'met' } as const;
  expect(causeText({ ...trial, sentence: '1,252 held: no viewer degraded.' })).toBe('no viewer degraded.');
});
