import { describe, expect, it } from 'vitest';
import { Isolation } from './isolation.svelte';

describe('isolation', () => {
  it('isolates one node, adds with Ctrl, and shows all after the same click', () => {
    const isolation = new Isolation();
    const after = (node: string, add: boolean): string[] => {
      isolation.toggle(node, add);
      return [...isolation.nodes];
    };
    expect(after('a', false)).toEqual(['a']);
    expect(after('b', true)).toEqual(['a', 'b']);
    expect(after('a', true)).toEqual(['b']);
    expect(after('c', false)).toEqual(['c']);
    expect(after('c', false)).toEqual([]);
  });
});
