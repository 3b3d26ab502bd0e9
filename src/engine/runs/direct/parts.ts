import { evenShares } from '../../../domain/shares';

/** More pulls than this at once cost their testers more than what they are good for. */
const mostParts = 100;
/** As fine as it gets where nobody says how fine it has to be. */
const usualParts = 8;

/** Newcomers as pulls of at most `grain` viewers, so that about as few can be sent home again. */
export function partsOf(newcomers: number, grain?: number): readonly number[] {
  if (newcomers <= 0) return [];
  const parts = grain === undefined ? usualParts : Math.max(1, Math.ceil(newcomers / Math.max(1, grain)));
  return evenShares(newcomers, Math.min(parts, mostParts, newcomers));
}
