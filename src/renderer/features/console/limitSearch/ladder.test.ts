import { expect, it } from 'vitest';
import type { LimitResult, Trial } from '../../../../domain/model/limitFound';
import { ladderPicture } from './ladder';

const trial = (viewers: number, result: Trial['result']): Trial => ({
  viewers,
  result,
  repeat: 1,
  fromMs: 0,
  toMs: 0,
  sentence: '',
});
const size = { width: 300, height: 110 };
const searching: LimitResult = {
  state: 'searching',
  maxMet: 50,
  minMissed: 100,
  repeats: 0,
  trials: [trial(50, 'met'), trial(100, 'missed')],
  now: { kind: 'try', viewers: 75 },
  sentence: '',
};

it('shows the trials and the interval that contains the limit', () => {
  const picture = ladderPicture(searching, size);
  expect(picture.rungs.map(({ x, y }) => [x, Math.round(y)])).toEqual([
    [50, 60],
    [150, 10],
  ]);
  expect(picture.now).toMatchObject({ x: 250 });
  expect(picture.line).toBe('50.0,60.0 150.0,10.0 250.0,35.0');
  expect(picture.band?.y).toBeCloseTo(10);
  expect(picture.band?.height).toBeCloseTo(50);
  expect(picture.ticks.map(({ viewers }) => viewers)).toEqual([100, 50]);
});

it('shows a narrow interval too, and nothing without trials', () => {
  const found: LimitResult = { ...searching, state: 'found', viewers: 100, plusMinus: 0, now: undefined };
  expect(ladderPicture(found, size).band).toMatchObject({ height: 2 });
  const empty: LimitResult = { state: 'searching', repeats: 0, trials: [], sentence: '' };
  expect(ladderPicture(empty, size)).toEqual({
    rungs: [],
    line: '',
    ticks: [{ viewers: 1, y: expect.any(Number) as number }],
  });
});
