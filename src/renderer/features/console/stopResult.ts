import type { RunFigures } from '../../../domain/model/run';
import { counted, grouped } from '../../ui/format/numbers';

/**
 * Remaining viewers after a stop, on both sides, in one sentence.
 * @param timeout why the origin may count viewers that have disconnected, see `serverTimeout`
 */
export function stopResult(
  { present, originViewers }: Pick<RunFigures, 'present' | 'originViewers'>,
  timeout?: string,
  clients: 'viewers' | 'publishers' = 'viewers',
): string {
  if (clients === 'publishers')
    return present > 0
      ? `Stopped, but still connected: ${counted(present, 'publisher')}. Press Stop all again to force.`
      : 'Stopped. All publishers disconnected.';
  if (present > 0) return `Stopped, but still connected: ${counted(present, 'viewer')}. Press Stop all again to force.`;
  if (originViewers === undefined) return 'Stopped. All viewers disconnected, not confirmed by the origin.';
  if (originViewers > 0) {
    const why = timeout === undefined ? '' : `: ${timeout}`;
    return `Stopped. All viewers disconnected; the origin still counts ${grouped(originViewers)}${why}.`;
  }
  return 'Stopped. All viewers disconnected, confirmed by the origin.';
}
