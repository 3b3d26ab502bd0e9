import type { Handlers } from '../../contract/calls';
import type { snapshotCalls, snapshotShellCalls } from '../../contract/snapshotCalls';
import type { HandlerParts } from '../handlers';
import { previewSnapshot, writeSnapshot } from './snapshot';

export function makeSnapshotHandlers({
  library,
}: HandlerParts): Handlers<keyof typeof snapshotCalls | keyof typeof snapshotShellCalls> {
  return {
    'snapshot.preview': ({ run }) => ({ values: previewSnapshot(library, run) }),
    'snapshot.write': ({ run, choice, path }) => writeSnapshot(library, run, choice, path),
  };
}
