import type { Handlers } from '../../contract/calls';
import type { snapshotCalls, snapshotShellCalls } from '../../contract/snapshotCalls';
import type { HandlerParts } from '../handlers';
import { previewSnapshot, writeSnapshot } from './snapshot';

export function makeSnapshotHandlers({
  library,
  annotator,
}: HandlerParts): Handlers<keyof typeof snapshotCalls | keyof typeof snapshotShellCalls> {
  return {
    'notes.edit': ({ run, uid, text }) => annotator.edit(run, uid, text),
    'notes.remove': ({ run, uid }) => {
      annotator.remove(run, uid);
      return { done: true };
    },
    'snapshot.preview': ({ run }) => ({ values: previewSnapshot(library, run) }),
    'snapshot.write': ({ run, choice, path }) => writeSnapshot(library, run, choice, path),
  };
}
