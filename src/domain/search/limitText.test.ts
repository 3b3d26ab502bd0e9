import { expect, it } from 'vitest';
import type { LimitFound, Trial } from './found';
import { limitSentence, stoppedSearch, withGiver } from './limitText';

const trial = (viewers: number, result: Trial['result'], repeat = 1): Trial => ({
  viewers,
  result,
  repeat,
  fromMs: 0,
  toMs: 0,
  sentence: 'The last look.',
});
type Told = Omit<LimitFound, 'sentence'>;
const found: Told = {
  state: 'found',
  viewers: 262,
  plusMinus: 6,
  held: 256,
  broke: 268,
  repeats: 3,
  trials: [],
};
const gaveOut = { what: 'origin-cpu', sentence: '', timeMs: 0 } as const;

it.each<[Told, string]>([
  [{ ...found, gaveOut }, '262 +- 6 viewers, 3 repeats; CPU of the origin gave out first.'],
  [found, '262 +- 6 viewers, 3 repeats.'],
  [
    { ...found, repeats: 1, trials: [trial(250, 'tester-limited', 2)] },
    '262 +- 6 viewers, 1 repeat, another given up.',
  ],
  [{ ...found, repeats: 0 }, '262 +- 6 viewers, ended before the break was found as precisely as asked.'],
  [
    { ...found, viewers: 1, plusMinus: 1, held: 0, broke: 1, gaveOut },
    'Not even 1 viewer; CPU of the origin gave out first.',
  ],
  [{ state: 'not-reached', held: 800, repeats: 0, trials: [] }, 'At least 800 viewers; nothing gave out.'],
  [
    { state: 'tester-limited', repeats: 0, trials: [trial(20, 'tester-limited')] },
    'The testers gave out before the origin did. The last look. Add a tester or split the audience, and search again.',
  ],
  [
    { state: 'unknown', held: 100, repeats: 0, trials: [trial(200, 'unknown')] },
    "At least 100 viewers; beyond, it can't be said. The last look.",
  ],
  [{ state: 'searching', repeats: 0, trials: [] }, 'The first audience comes.'],
  [
    { state: 'searching', broke: 20, repeats: 0, trials: [trial(20, 'missed')] },
    '20 viewers did not hold, fewer were not tried yet.',
  ],
  [
    { ...found, state: 'searching', repeats: 1 },
    '262 +- 6 viewers after 1 repeat; the break is looked for again.',
  ],
])('%j', (told, sentence) => {
  expect(limitSentence(told)).toBe(sentence);
});

it('a search that had ended is not stopped, and one that is forgets what it was about to try', () => {
  const ended: LimitFound = { ...found, sentence: 'As it was.' };
  expect(stoppedSearch(ended)).toBe(ended);
  const stopped = stoppedSearch({
    ...ended,
    state: 'searching',
    repeats: 1,
    now: { kind: 'try', viewers: 260 },
  });
  expect(stopped).toMatchObject({ state: 'stopped', sentence: 'Stopped; 262 +- 6 viewers so far.' });
  expect(stopped.now).toBeUndefined();
  expect(withGiver(ended, undefined)).toBe(ended);
});
