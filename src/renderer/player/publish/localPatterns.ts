import { mediaFileSource } from '../../../domain/clock/sources';

/** Active test patterns of this window, by the number in their clock row: only those share the player's clock. */
export const localPatterns = new Set<number>();

/** Allocates a number below that of media files, unused in this window; random across windows. */
export function allocatePatternNumber(random: () => number = Math.random): number {
  const free = Array.from({ length: mediaFileSource }, (_, source) => source).filter(
    (source) => !localPatterns.has(source),
  );
  const source = free[Math.floor(random() * free.length)];
  if (source === undefined)
    throw new Error(`This window already draws ${mediaFileSource} test patterns; stop one first.`);
  localPatterns.add(source);
  return source;
}
