import { describe, expect, it } from 'vitest';
import { annotationEvent, mergedText, newerAnnotations, type Annotation } from './annotation';

const note = (uid: string, changes: Partial<Annotation> = {}): Annotation => ({
  uid,
  timeMs: 1000,
  author: 'Jane',
  writtenBy: 'here',
  text: 'Look at this.',
  writtenMs: 5000,
  ...changes,
});

describe('merging the annotations of two copies of a run', () => {
  it('keeps those of both copies, each in its newest version', () => {
    const old = note('b');
    const newer = note('b', { text: 'Look at that.', editedMs: 6000 });
    const removed = note('c', { isRemoved: true, text: '', editedMs: 7000 });
    expect(newerAnnotations([note('a'), old, note('c')], [newer, removed, note('d')])).toEqual({
      added: [note('d')],
      changed: [newer, removed],
    });
    // In the other direction no older version returns.
    expect(newerAnnotations([newer, removed], [old, note('c')])).toEqual({ added: [], changed: [] });
  });
  it('are log rows with their author, after all recorded ones', () => {
    expect(annotationEvent(note('a'), 3)).toEqual({
      id: 1_000_000_003,
      timeMs: 1000,
      kind: 'note',
      mark: 'note',
      who: 'Jane',
      sentence: 'Look at this.',
      annotation: { uid: 'a', writtenMs: 5000, writtenBy: 'here' },
    });
  });
  it.each([
    [3, 0, '3 notes were added to the existing run.'],
    [1, 0, '1 note was added to the existing run.'],
    [0, 2, '2 notes were changed in the existing run.'],
    [1, 1, '1 note was added to and 1 note was changed in the existing run.'],
    [0, 0, 'This run already exists, and the file contains nothing new.'],
  ])('%i added and %i changed make one sentence', (added, changed, sentence) => {
    expect(mergedText(added, changed)).toBe(sentence);
  });
});
