import { expect, it } from 'vitest';
import { leftoverSentences, type WcsLeftover } from './leftovers';

const of = (instance: string, ...viewers: number[]): WcsLeftover[] =>
  viewers.map((viewer) => ({ instance, job: 1, viewer, localStreamName: `fullhouse-${instance}-1-${viewer}` }));
const sentences = (before: readonly WcsLeftover[], now: readonly WcsLeftover[]): readonly string[] =>
  leftoverSentences('wcs-1', 'aaaaaaaa', [before, now]);

it('reports viewers of another console that stay', () => {
  expect(sentences(of('bbbbbbbb', 1, 2, 3), of('bbbbbbbb', 2, 3, 4))).toEqual([
    'wcs-1 runs 2 viewers of another console, or of one that crashed; "Remove agent" in its menu disconnects them.',
  ]);
});

it('does not report those that have ended meanwhile', () => {
  expect(sentences(of('bbbbbbbb', 1, 2), [])).toEqual([]);
});

it('calls viewers of an earlier run of this console by that name', () => {
  const both = [...of('aaaaaaaa', 1), ...of('bbbbbbbb', 1)];
  expect(sentences(both, both)).toEqual([
    expect.stringContaining('1 viewer of an earlier run of this console'),
    expect.stringContaining('1 viewer of another console'),
  ]);
});
