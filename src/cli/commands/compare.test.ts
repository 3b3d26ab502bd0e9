import { describe, expect, it } from 'vitest';
import { typedCommand } from '../../../tests/support/typedCommand';
import { UsageError } from '../args';

describe('compare, tag and baseline', () => {
  it('take the format from the file name', () => {
    expect(typedCommand(['compare', 'a', 'b'])).toEqual({
      command: 'compare',
      runs: ['a', 'b'],
      kind: 'md',
      alignment: 'viewers',
      out: undefined,
    });
    expect(typedCommand(['compare', 'a', 'b', 'c', '--align', 'time', '--out', 'x.CSV'])).toMatchObject({
      runs: ['a', 'b', 'c'],
      kind: 'csv',
      alignment: 'time',
    });
    expect(typedCommand(['compare', 'a', 'b', '--table', 'srs', '--out', 'x.md'])).toMatchObject({
      kind: 'srs',
    });
  });

  it('normalise tags', () => {
    expect(typedCommand(['tag', 'run-a', 'ZGC', 'before tuning', '--remove', 'g1', '--note', 'Heap doubled'])).toEqual({
      command: 'tag',
      run: 'run-a',
      add: ['zgc', 'before-tuning'],
      remove: ['g1'],
      note: 'Heap doubled',
    });
    expect(typedCommand(['baseline', 'run-a', '--unset'])).toMatchObject({ isBaseline: false });
    expect(typedCommand(['baseline', 'run-a'])).toMatchObject({ isBaseline: true });
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
    expect(() => typedCommand(args)).toThrow(UsageError);
  });
});
