import type { SpotCheck, SpotCheckRating } from '../model/spotCheck';
import { formatFigure } from '../text/numberFormat';

export const ratingWords: Readonly<Record<SpotCheckRating, string>> = {
  smooth: 'smooth',
  minor: 'minor faults',
  bad: 'bad',
};

/** What was measured: `smooth, no freeze, 25.0 fps`. */
export function measuredText({ measured, freezes, frozenMs, fps }: SpotCheck): string {
  const frozen =
    freezes === 0
      ? 'no freeze'
      : `${formatFigure(freezes, 'integer')} ${freezes === 1 ? 'freeze' : 'freezes'} of ${formatFigure(frozenMs / 1000, 'adaptive')} s`;
  return [ratingWords[measured], frozen, ...(fps === undefined ? [] : [`${formatFigure(fps, 'tenths')} fps`])].join(
    ', ',
  );
}
