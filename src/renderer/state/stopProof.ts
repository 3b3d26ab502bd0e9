import type { RunFigures } from '../../domain/run';
import { counted, grouped } from '../format/numbers';

/** What is left after a stop, by both sides, in one sentence. */
export function stopProof({ present, originViewers }: Pick<RunFigures, 'present' | 'originViewers'>): string {
  if (present > 0)
    return `Stopped, but ${counted(present, 'viewer')} still held by the audience. Stop all again forces.`;
  if (originViewers === undefined)
    return 'Stopped. The audience holds 0 viewers; the origin does not answer.';
  if (originViewers > 0)
    return `Stopped. The audience holds 0 viewers; the origin still counts ${grouped(originViewers)}.`;
  return 'Stopped. 0 viewers left: the audience holds none and the origin counts none.';
}
