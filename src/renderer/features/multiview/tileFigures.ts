import type { PlayerLag } from '../../player/figures/playerLag';
import { figure, grouped, missing, type Figure } from '../../ui/format/numbers';
import { syncToleranceMs } from './syncPlayers';

interface TileLag {
  readonly lag: PlayerLag | undefined;
  readonly isSynchronised: boolean;
  readonly canDelay: boolean;
  /** How much later it would have to play to be synchronous, ms. */
  readonly offsetMs: number | undefined;
}

/** What a tile shows of its delay: glass to glass of a test pattern, or how far it is from the others. */
export function lagFigure({ lag, isSynchronised, canDelay, offsetMs }: TileLag): {
  readonly figure: Figure;
  readonly meaning: string;
} {
  const clock = lag?.by === 'pattern' ? "the test pattern's clock" : "the sender's time stamps";
  if (isSynchronised) {
    if (lag === undefined || offsetMs === undefined)
      return {
        figure: { text: 'not synchronised', unit: '' },
        meaning: 'Neither a test pattern nor time stamps of the sender that another player has too',
      };
    if (Math.abs(offsetMs) <= syncToleranceMs)
      return {
        figure: { text: 'in sync', unit: '' },
        meaning: `Within ${syncToleranceMs} ms of the others, by ${clock}`,
      };
    const side = offsetMs > 0 ? 'ahead' : 'behind';
    const why = canDelay ? '' : '; this protocol can not be delayed';
    return {
      figure: figure(Math.abs(offsetMs), `ms ${side}`, 0),
      meaning: `Against the slowest player, by ${clock}${why}`,
    };
  }
  if (lag?.by === 'pattern')
    return {
      figure: { text: grouped(lag.lagMs), unit: 'ms delay' },
      meaning: 'Glass to glass: from drawing the test pattern to presenting it, median of the last second',
    };
  return {
    figure: { text: missing, unit: '' },
    meaning: 'Glass-to-glass delay: publish a test pattern from this window',
  };
}
