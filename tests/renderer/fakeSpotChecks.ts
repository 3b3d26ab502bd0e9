import type { RunEvent } from '../../src/domain/model/run';
import type { SpotCheckRating } from '../../src/domain/model/spotCheck';
import { spotCheckEvent } from '../../src/engine/runs/playerEvents';

const checks: readonly (readonly [second: number, rating: SpotCheckRating, measured: SpotCheckRating])[] = [
  [40, 'smooth', 'smooth'],
  [75, 'smooth', 'smooth'],
  [112, 'bad', 'bad'],
  [140, 'minor', 'bad'],
];

/** Four spot checks of a run; one rating is milder than the figures. */
export function spotCheckEvents(startedMs: number): readonly RunEvent[] {
  return checks.map(([second, rating, measured], index) => ({
    ...{ id: 9000 + index, timeMs: startedMs + 1000 * second, kind: 'player', who: 'player', node: 'atom-c2550' },
    ...spotCheckEvent('atom-c2550', {
      ...{ stream: 'cam-240p', rating, measured, seconds: 10, fps: measured === 'bad' ? 22.6 : 25 },
      ...(measured === 'bad' ? { freezes: 1, frozenMs: 800 } : { freezes: 0, frozenMs: 0 }),
    }),
  }));
}
