import type { AudienceTarget } from './loadController';
import { distributeEvenly } from '../../../domain/model/distribution';

/** More parallel pulls than this cost their testers more than they are worth. */
const maxParts = 100;
/** Default granularity. */
const usualParts = 8;

/** Takes the parts that a target ends off the list of active ones: the newest first, and then those to be replaced. */
export function partsToEnd<Part>(
  active: Part[],
  sizeOf: (part: Part) => number,
  { viewers, replace = 0, isPassing }: Pick<AudienceTarget, 'viewers' | 'replace' | 'isPassing'>,
): { readonly ended: readonly Part[]; readonly remaining: number } {
  let remaining = active.reduce((sum, part) => sum + sizeOf(part), 0);
  const ended: Part[] = [];
  const end = (part: Part | undefined): void => {
    if (part === undefined) return;
    remaining -= sizeOf(part);
    ended.push(part);
  };
  const newest = (): number => active.slice(-1).reduce((_, part) => sizeOf(part), 0);
  while (active.length > 0 && remaining > viewers && (!isPassing || remaining - newest() >= viewers)) end(active.pop());
  const rest = remaining - replace;
  while (active.length > 0 && remaining > rest) end(active.shift());
  return { ended, remaining };
}

/** New viewers as pulls of at most `grain` viewers, so that about as few can be disconnected again. */
export function partsOf(viewers: number, grain?: number): readonly number[] {
  if (viewers <= 0) return [];
  const parts = grain === undefined ? usualParts : Math.max(1, Math.ceil(viewers / Math.max(1, grain)));
  return distributeEvenly(viewers, Math.min(parts, maxParts, viewers));
}
