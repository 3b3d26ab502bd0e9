import { mostSources } from './clockCode';

/** Test patterns that this window draws now, by the number in their clock row: only those share the player's clock. */
export const localPatterns = new Set<number>();

/** Takes a number that no other pattern of this window uses; chance keeps two windows apart. */
export function takePatternNumber(random: () => number = Math.random): number {
  const free = Array.from({ length: mostSources }, (_, source) => source).filter(
    (source) => !localPatterns.has(source),
  );
  const source = free[Math.floor(random() * free.length)];
  if (source === undefined)
    throw new Error(`This window already draws ${mostSources} test patterns; stop one first.`);
  localPatterns.add(source);
  return source;
}
