import { formatFigure } from './numberFormat';

/** An even split of viewers over testers: the first ones take what is left over. */
export function evenShares(viewers: number, parts: number): readonly number[] {
  if (parts === 0) return [];
  const least = Math.floor(viewers / parts);
  return Array.from({ length: parts }, (_, index) => least + (index < viewers % parts ? 1 : 0));
}

/** What each of so many testers gets: `500`, or `333-334` where it does not come out even. */
export function eachText(viewers: number, parts: number): string {
  const shares = evenShares(viewers, parts);
  const [most = 0, least = most] = [shares[0], shares.at(-1)];
  const whole = (count: number): string => formatFigure(count, 'integer');
  return least === most ? whole(most) : `${whole(least)}-${whole(most)}`;
}
