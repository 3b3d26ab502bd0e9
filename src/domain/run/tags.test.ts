import { describe, expect, it } from 'vitest';
import { changedTags, suggestedTags, tagCounts, tagOf } from './tags';

describe('tags', () => {
  it('are the typed text in a normal form', () => {
    expect(tagOf('  ZGC ')).toBe('zgc');
    expect(tagOf('Before tuning')).toBe('before-tuning');
    expect(tagOf('größe: 720p')).toBe('größe:-720p');
    expect(tagOf('<script>')).toBe('script');
    expect(tagOf(' -- ')).toBeUndefined();
  });

  it('are added and removed without duplicates', () => {
    expect(changedTags(['g1', 'soak'], { add: ['zgc', 'soak'], remove: ['g1'] })).toEqual(['soak', 'zgc']);
  });

  it('are counted, most used first', () => {
    const runs = [{ tags: ['b', 'a'] }, { tags: ['b'] }, {}];
    expect(tagCounts(runs)).toEqual([
      { tag: 'b', count: 2 },
      { tag: 'a', count: 1 },
    ]);
  });

  it('are suggested by prefix first, without duplicates', () => {
    expect(suggestedTags(['tuned', 'untuned', 'g1', 'tuna'], 'tun', ['tuna'])).toEqual(['tuned', 'untuned']);
  });
});
