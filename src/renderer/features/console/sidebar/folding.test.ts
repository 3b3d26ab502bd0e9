import { expect, it } from 'vitest';
import { folding } from './folding';

const rows = (...states: ('live' | 'failed')[]) =>
  states.map((state, at) => ({ id: at, node: { state }, isMeasured: state === 'live' }));

it('folds three or more failed nodes into one line, in order', () => {
  const { shown, folded } = folding(rows('failed', 'live', 'failed', 'failed'), false);
  expect(shown.map(({ id }) => id)).toEqual([1]);
  expect(folded.map(({ id }) => id)).toEqual([0, 2, 3]);
});

it('leaves one or two in place', () => {
  const all = rows('failed', 'live', 'failed');
  expect(folding(all, false)).toEqual({ shown: all, folded: [], isCompact: false });
});

it('folds nodes without data of a finished run, whatever their state now', () => {
  const all = rows('live', 'live', 'live', 'live').map((row, at) => ({ ...row, isMeasured: at === 0 }));
  expect(folding(all, true).folded.map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(folding(all, false).folded).toEqual([]);
});

it('makes rows one line high if there are many', () => {
  expect(folding(rows(...Array<'live'>(8).fill('live')), false).isCompact).toBe(false);
  expect(folding(rows(...Array<'live'>(9).fill('live')), false).isCompact).toBe(true);
});
