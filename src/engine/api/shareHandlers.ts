import type { Handlers } from '../../contract/calls';
import type { shareCalls, shareShellCalls } from '../../contract/shareCalls';
import type { snapshotCalls, snapshotShellCalls } from '../../contract/snapshotCalls';
import type { HandlerParts } from './handlerParts';
import { makePrometheusHandlers } from './prometheusHandlers';

/** Implements the calls of `contract/shareCalls`. */
export function makeShareHandlers(
  parts: HandlerParts,
): Handlers<keyof typeof shareCalls | keyof typeof shareShellCalls> {
  return { ...makePrometheusHandlers(parts), ...makeSnapshotHandlers(parts) };
}

function makeSnapshotHandlers({
  saved,
}: Pick<HandlerParts, 'saved'>): Handlers<keyof typeof snapshotCalls | keyof typeof snapshotShellCalls> {
  return {
    'notes.edit': (input) => saved.call('editNote', input),
    'notes.remove': async (input) => {
      await saved.call('removeNote', input);
      return { done: true };
    },
    'snapshot.preview': async (input) => ({ values: await saved.call('previewSnapshot', input) }),
    'snapshot.write': (input) => saved.call('writeSnapshot', input),
    'snapshot.open': async ({ path }) => ({ run: await saved.openCopy(path) }),
  };
}
