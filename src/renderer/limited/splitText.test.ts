import { expect, it } from 'vitest';
import type { NodeView } from '../../domain/node';
import type { TesterSplit } from '../../domain/tester/testerSplit';
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

it('tells what a share would cost, and that it is extrapolated', () => {
  expect(whole(split)).toBe(
    '500 viewers each would cost tester-1 about 65 % CPU, extrapolated from its first 700.',
  );
  const still: TesterSplit = {
    ...split,
    weakViewers: 300,
    cost: { tester, what: 'cpu', percent: 93, viewers: 300 },
  };
  expect(whole(still)).toContain('about 93 % CPU, extrapolated from its first 300. That is still too much');
});

it('speaks of the reading thread where that is nearer to its end', () => {
  expect(whole({ ...split, cost: { tester, what: 'reader', percent: 70, viewers: 700 } })).toBe(
    "500 viewers each would keep tester-1's reading thread busy for about 70 %, extrapolated from its first 700.",
  );
});

it('invents no cost', () => {
  expect(whole({ ...split, cost: undefined })).toBe('500 viewers each instead of 1,000.');
  expect(whole({ ...split, cost: undefined, why: 'too-many', weakViewers: 744 })).toBe(
    '500 viewers each instead of 1,000; tester-1 can hold 744.',
  );
});

it('says on the button what it does', () => {
  expect(splitButton(split, false)).toBe('Add one tester, 500 each');
  expect(splitButton(split, true)).toBe('Stop, and run again with one tester more, 500 each');
});

it('says where a tester that could help is', () => {
  expect(candidateText({ ...tester, host: 'b', viewerLimit: 9000 }, [tester], 'whep')).toBe(
    'on another host, plays up to 9,000 (limit of local ports)',
  );
  expect(candidateText(tester, [tester], 'whep')).toBe('on the same host');
});
