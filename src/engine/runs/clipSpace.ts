import { FullhouseError } from '../../contract/calls';
import { clipMime, maxClipBytesPerRun, type Still } from '../../domain/model/run';

/** Throws `clips-full` if a clip of so many bytes exceeds the limit of a run. */
export function requireClipSpace(saved: readonly Still[], bytes: number): void {
  const used = saved.reduce((sum, still) => sum + (still.mime === clipMime ? still.bytes : 0), 0);
  if (used + bytes > maxClipBytesPerRun)
    throw new FullhouseError(
      'clips-full',
      `The clip is not saved: clips of this run already take ${Math.round(used / 1e6)} of ${maxClipBytesPerRun / 1e6} MB.`,
    );
}
