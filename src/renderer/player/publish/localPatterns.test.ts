import { afterEach, expect, it } from 'vitest';
import { maxSources, mediaFileSource } from '../../../domain/clock/sources';
import { allocatePatternNumber, localPatterns } from './localPatterns';

afterEach(() => localPatterns.clear());

it('allocates each number once, but not that of media files', () => {
  const numbers = Array.from({ length: maxSources - 1 }, () => allocatePatternNumber());
  expect(new Set(numbers).size).toBe(maxSources - 1);
  expect(numbers).not.toContain(mediaFileSource);
  expect(() => allocatePatternNumber()).toThrow('already draws 63 test patterns');
});
