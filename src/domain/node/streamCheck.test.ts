import { describe, expect, it } from 'vitest';
import { findingOf, type PlayedSecond } from './streamCheck';

const fine: PlayedSecond = { isPlaying: true, frameRate: 25, loudest: 0.4 };
const seconds = (count: number, of: Partial<PlayedSecond> = {}): PlayedSecond[] =>
  Array.from({ length: count }, () => ({ ...fine, ...of }));

describe('a stream that was played', () => {
  it('is fine with frames and sound, also without a sound track', () => {
    expect(findingOf(seconds(6))).toBe('fine');
    expect(findingOf(seconds(6, { loudest: undefined }))).toBe('fine');
  });

  it('is black or of one colour where most of it is, not at a cut', () => {
    expect(findingOf([...seconds(2), ...seconds(4, { fault: 'black' })])).toBe('black');
    expect(findingOf([...seconds(5), ...seconds(1, { fault: 'black' })])).toBe('fine');
    expect(findingOf(seconds(4, { fault: 'uniform' }))).toBe('uniform');
  });

  it('is frozen without new frames, and not while frames are unknown', () => {
    expect(findingOf([...seconds(1), ...seconds(4, { frameRate: 0 })])).toBe('frozen');
    expect(findingOf(seconds(5, { frameRate: undefined }))).toBe('fine');
  });

  it('is silent only if no second had a sound', () => {
    expect(findingOf(seconds(5, { loudest: 0 }))).toBe('silent');
    expect(findingOf([...seconds(4, { loudest: 0 }), ...seconds(1)])).toBe('fine');
  });

  it('has no picture if it never played, and no finding after a short look', () => {
    expect(findingOf(seconds(5, { isPlaying: false }))).toBe('no picture');
    expect(findingOf(seconds(2))).toBeUndefined();
    expect(findingOf([...seconds(4, { isPlaying: false }), ...seconds(1)])).toBeUndefined();
  });
});
