import { describe, expect, it } from 'vitest';
import { lettersOf, toggled, withRange } from './selection';

const letters = ['A', 'B', 'C'];

describe('selected runs', () => {
  it('are toggled', () => {
    expect(toggled(['a'], 'b')).toEqual(['a', 'b']);
    expect(toggled(['a', 'b'], 'a')).toEqual(['b']);
  });

  it('are selected by ranges, up or down, and stay selected', () => {
    const listed = ['a', 'b', 'c', 'd'];
    expect(withRange(['d'], listed, 'c', 'a')).toEqual(['d', 'a', 'b', 'c']);
    expect(withRange([], listed, undefined, 'b')).toEqual(['b']);
    expect(withRange(['a'], listed, 'a', 'gone')).toEqual(['a']);
  });

  it('have letters from the oldest on, if they can be compared', () => {
    const runs = [3, 2, 1, 0].map((startedMs) => ({ id: `r${startedMs}`, startedMs }));
    expect([...lettersOf(runs, ['r3', 'r1'], letters)]).toEqual([
      ['r1', 'A'],
      ['r3', 'B'],
    ]);
    expect(lettersOf(runs, ['r1'], letters).size).toBe(0);
    expect(lettersOf(runs, ['r0', 'r1', 'r2', 'r3'], letters).size).toBe(0);
  });
});
