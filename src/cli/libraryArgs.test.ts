import { describe, expect, it } from 'vitest';
import { parseCommand, UsageError } from './args';

describe('compare, tag and baseline', () => {
  it('take the format from the file name', () => {
    expect(parseCommand(['compare', 'a', 'b'])).toEqual({
      command: 'compare',
      runs: ['a', 'b'],
      kind: 'md',
      alignment: 'viewers',
      out: undefined,
    });
    expect(parseCommand(['compare', 'a', 'b', 'c', '--align', 'time', '--out', 'x.CSV'])).toMatchObject({
      runs: ['a', 'b', 'c'],
      kind: 'csv',
      alignment: 'time',
    });
    expect(parseCommand(['compare', 'a', 'b', '--table', 'srs', '--out', 'x.md'])).toMatchObject({
      kind: 'srs',
    });
  });

  it('normalise tags', () => {
    expect(parseCommand(['tag', 'run-a', 'ZGC', 'before tuning', '--remove', 'g1', '--note', 'Heap doubled'])).toEqual({
      command: 'tag',
      run: 'run-a',
      add: ['zgc', 'before-tuning'],
      remove: ['g1'],
      note: 'Heap doubled',
    });
    expect(parseCommand(['baseline', 'run-a', '--unset'])).toMatchObject({ isBaseline: false });
    expect(parseCommand(['baseline', 'run-a'])).toMatchObject({ isBaseline: true });
  });

  it.each([
    [['compare', 'a']],
    [['compare', 'a', 'b', 'c', 'd', 'e', 'f']],
    [['compare', 'a', 'b', '--out', 'x.pdf']],
    [['compare', 'a', 'b', '--align', 'start']],
    [['compare', 'a', 'b', '--table', 'wcs']],
    [['tag', 'a']],
    [['tag', 'a', '!!']],
    [['tag']],
    [['baseline']],
    [['baseline', 'a', 'b']],
  ])('refuse %j', (args) => {
    expect(() => parseCommand(args)).toThrow(UsageError);
  });
});
