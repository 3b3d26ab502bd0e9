import { distributeEvenly } from '../../../domain/model/distribution';

/** More parallel pulls than this cost their testers more than they are worth. */
const maxParts = 100;
/** Default granularity. */
const usualParts = 8;

/** New viewers as pulls of at most `grain` viewers, so that about as few can be disconnected again. */
export function partsOf(viewers: number, grain?: number): readonly number[] {
  if (viewers <= 0) return [];
  const parts = grain === undefined ? usualParts : Math.max(1, Math.ceil(viewers / Math.max(1, grain)));
  return distributeEvenly(viewers, Math.min(parts, maxParts, viewers));
}
