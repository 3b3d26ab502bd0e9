import { expect, it } from 'vitest';
import type { NodeView } from '../../../domain/model/node';
import type { TesterSplit } from '../../../domain/tester/testerSplit';
import { candidateText, splitButton, splitText } from './splitText';

const tester: NodeView = {
  id: 'tester-1',
  name: 'tester-1',
  role: 'tester',
  colourSlot: 2,
  state: 'live',
  reach: 'test',
  host: 'a',
  streams: [],
};
const split: TesterSplit = {
  why: 'limited',
  weak: [tester],
  weakViewers: 700,
  parts: 2,
  each: '500',
  eachBefore: '1,000',
  cost: { tester, what: 'cpu', percent: 65.2, viewers: 700 },
  protocol: 'whep',
  candidates: [],
};
const whole = (of: TesterSplit): string => {
  const { before, guess = '', after } = splitText(of);
  return before + guess + after;
};

it('states the cost of a share as extrapolated', () => {
  expect(whole(split)).toBe('500 viewers each would cost tester-1 about 65 % CPU, extrapolated from its first 700.');
  const still: TesterSplit = {
    ...split,
    weakViewers: 300,
    cost: { tester, what: 'cpu', percent: 93, viewers: 300 },
  };
  expect(whole(still)).toContain('about 93 % CPU, extrapolated from its first 300. That is still too much');
});

it('reports the reader thread if it is the tighter limit', () => {
  expect(whole({ ...split, cost: { tester, what: 'reader', percent: 70, viewers: 700 } })).toBe(
    "500 viewers each would load tester-1's reader thread to about 70 %, extrapolated from its first 700.",
  );
});

it('omits an unknown cost', () => {
  expect(whole({ ...split, cost: undefined })).toBe('500 viewers each instead of 1,000.');
  expect(whole({ ...split, cost: undefined, why: 'too-many', weakViewers: 744 })).toBe(
    '500 viewers each instead of 1,000; tester-1 can run 744.',
  );
});

it('labels the button with its action', () => {
  expect(splitButton(split, false)).toBe('Add one tester, 500 each');
  expect(splitButton(split, true)).toBe('Restart with one more tester, 500 each');
});

it('shows the host of a candidate', () => {
  expect(candidateText({ ...tester, host: 'b', viewerLimit: 9000 }, [tester], 'whep')).toBe(
    'on another host, runs up to 9,000 viewers (local port limit)',
  );
  expect(candidateText(tester, [tester], 'whep')).toBe('on the same host');
});
