import type { RunFigures } from '../../../domain/model/run';
import { counted, grouped } from '../../ui/format/numbers';

/** Remaining viewers after a stop, on both sides, in one sentence. */
export function stopResult({ present, originViewers }: Pick<RunFigures, 'present' | 'originViewers'>): string {
  if (present > 0) return `Stopped, but still connected: ${counted(present, 'viewer')}. Press Stop all again to force.`;
  if (originViewers === undefined) return 'Stopped. All viewers disconnected; the origin does not respond.';
  if (originViewers > 0) return `Stopped. All viewers disconnected; the origin still counts ${grouped(originViewers)}.`;
  return 'Stopped. All viewers disconnected, confirmed by the origin.';
}
