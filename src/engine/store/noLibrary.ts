import { FullhouseError } from '../../contract/calls';
import type { RunLibrary } from './types';

/** The library of an engine that records nothing: it has no folder, lists no runs, and refuses whatever needs one. */
export function noRunLibrary(): RunLibrary {
  const refuse = (): never => {
    throw new FullhouseError('no-library', 'No folder of runs is open; start with one to record or read runs.');
  };
  return {
    folder: '',
    list: () => [],
    elsewhere: {},
    knowElsewhere: refuse,
    isWritten: () => false,
    flush: () => undefined,
    create: refuse,
    summary: refuse,
    open: refuse,
    rename: refuse,
    keep: refuse,
    delete: refuse,
    undelete: refuse,
    importFile: refuse,
    exportFile: refuse,
    withDatabase: refuse,
    change: refuse,
    compact: refuse,
    path: refuse,
  };
}
