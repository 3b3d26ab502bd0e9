import type { Handlers } from '../../contract/calls';
import type { libraryCalls, libraryShellCalls } from '../../contract/libraryCalls';
import type { RunId, RunSummary } from '../../domain/model/run';
import type { HandlerParts } from './handlerParts';
import type { UserDataChanges } from '../store';

export type LibraryCall = keyof typeof libraryCalls | keyof typeof libraryShellCalls;

/** Implements the calls of `contract/libraryCalls`. */
export function makeLibraryHandlers({
  recorder,
  saved,
  runsChanged,
}: Pick<HandlerParts, 'recorder' | 'saved' | 'runsChanged'>): Handlers<LibraryCall> {
  const keep = async (run: RunId, changes: UserDataChanges): Promise<RunSummary> =>
    recorder.isRecorded(run) ? recorder.keep(run, changes) : saved.call('keep', { run, changes });
  return {
    'runs.tag': async ({ runs, add, remove }) => {
      const rows = await Promise.all(runs.map((run) => keep(run, { addTags: add, removeTags: remove })));
      runsChanged();
      return rows;
    },
    'runs.describe': async ({ run, note }) => {
      const row = await keep(run, { note });
      runsChanged();
      return row;
    },
    'runs.baseline': async (input) => {
      const row = await saved.call('setBaseline', input);
      runsChanged();
      return row;
    },
    'runs.compare': ({ runs }) => saved.call('compare', { runs }),
    'runs.exportComparison': ({ runs, kind, alignment, path }) =>
      saved.call('exportComparison', { runs, form: { kind, alignment }, path }),
  };
}
