import type { Handlers } from '../../contract/calls';
import type { libraryCalls, libraryShellCalls } from '../../contract/libraryCalls';
import type { RunId, RunSummary } from '../../domain/run';
import type { HandlerParts } from '../handlers';
import type { KeptChanges } from '../store';

/** What the engine does for each call of `contract/libraryCalls`. */
export function makeLibraryHandlers({
  library,
  saved,
  runsChanged,
}: Pick<HandlerParts, 'library' | 'saved' | 'runsChanged'>): Handlers<
  keyof typeof libraryCalls | keyof typeof libraryShellCalls
> {
  const keep = async (run: RunId, changes: KeptChanges): Promise<RunSummary> =>
    library.isWritten(run) ? library.keep(run, changes) : saved.call('keep', { run, changes });
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
