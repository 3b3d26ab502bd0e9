import { expect, it } from 'vitest';
import type { LimitResult, Trial } from '../model/limitFound';
import { limitSentence, stoppedSearch, withBottleneck } from './limitText';

const trial = (viewers: number, result: Trial['result'], repeat = 1): Trial => ({
  viewers,
  result,
  repeat,
  fromMs: 0,
  toMs: 0,
  sentence: 'The last trial.',
});
type Unworded = Omit<LimitResult, 'sentence'>;
const found: Unworded = {
  state: 'found',
  viewers: 262,
  plusMinus: 6,
  maxMet: 256,
  minMissed: 268,
  repeats: 3,
  trials: [],
};
const bottleneck = { what: 'origin-cpu', sentence: '', timeMs: 0 } as const;

it.each<[Unworded, string]>([
  [{ ...found, bottleneck }, '262 +- 6 viewers, 3 repeats; bottleneck: CPU of the origin.'],
  [found, '262 +- 6 viewers, 3 repeats.'],
  [
    { ...found, clients: 'publishers', bottleneck: { ...bottleneck, what: 'origin-refuses' } },
    '262 +- 6 publishers, 3 repeats; the origin refused more publishers.',
  ],
  [{ ...found, repeats: 1, trials: [trial(250, 'tester-limited', 2)] }, '262 +- 6 viewers, 1 repeat, another aborted.'],
  [{ ...found, repeats: 0 }, '262 +- 6 viewers, ended before the requested precision was reached.'],
  [
    { ...found, viewers: 1, plusMinus: 1, maxMet: 0, minMissed: 1, bottleneck },
    'Limit below 1 viewer; bottleneck: CPU of the origin.',
  ],
  [{ state: 'not-reached', maxMet: 800, repeats: 0, trials: [] }, 'At least 800 viewers; no limit reached.'],
  [
    { state: 'tester-limited', repeats: 0, trials: [trial(20, 'tester-limited')] },
    'The testers reached their limit before the origin. The last trial. Add a tester or split the audience, then search again.',
  ],
  [
    { state: 'unknown', maxMet: 100, repeats: 0, trials: [trial(200, 'unknown')] },
    'At least 100 viewers; above that, the result is unknown. The last trial.',
  ],
  [{ state: 'searching', repeats: 0, trials: [] }, 'Ramping up the first audience.'],
  [
    { state: 'searching', minMissed: 20, repeats: 0, trials: [trial(20, 'missed')] },
    '20 viewers failed, fewer were not tried yet.',
  ],
  [{ ...found, state: 'searching', repeats: 1 }, '262 +- 6 viewers after 1 repeat; repeating the search.'],
])('%j', (unworded, sentence) => {
  expect(limitSentence(unworded)).toBe(sentence);
});

it('a search that has ended is not stopped, and a stopped one drops its next step', () => {
  const ended: LimitResult = { ...found, sentence: 'Unchanged.' };
  expect(stoppedSearch(ended)).toBe(ended);
  const stopped = stoppedSearch({
    ...ended,
    state: 'searching',
    repeats: 1,
    now: { kind: 'try', viewers: 260 },
  });
  expect(stopped).toMatchObject({ state: 'stopped', sentence: 'Stopped; 262 +- 6 viewers so far.' });
  expect(stopped.now).toBeUndefined();
  expect(withBottleneck(ended, undefined)).toBe(ended);
});
