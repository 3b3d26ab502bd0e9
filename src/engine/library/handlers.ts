import type { Handlers } from '../../contract/calls';
import type { libraryCalls, libraryShellCalls } from '../../contract/libraryCalls';
import type { HandlerParts } from '../handlers';
import { setBaseline } from './baseline';
import { compareKept } from './compare';
import { exportComparison } from './exportComparison';

/** What the engine does for each call of `contract/libraryCalls`. */
export function makeLibraryHandlers({
  library,
  runsChanged,
}: Pick<HandlerParts, 'library' | 'runsChanged'>): Handlers<
  keyof typeof libraryCalls | keyof typeof libraryShellCalls
> {
  const changed = <T>(value: T): T => {
    runsChanged();
    return value;
  };
  return {
    'runs.tag': ({ runs, add, remove }) =>
      changed(runs.map((run) => library.keep(run, { addTags: add, removeTags: remove }))),
    'runs.describe': ({ run, note }) => changed(library.keep(run, { note })),
    'runs.baseline': ({ run, isBaseline }) => changed(setBaseline(library, run, isBaseline)),
    'runs.compare': ({ runs }) => compareKept(library, runs),
    'runs.exportComparison': ({ runs, kind, alignment, path }) =>
      exportComparison(library, runs, { kind, alignment }, path),
  };
}
