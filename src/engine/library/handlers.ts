import type { Handlers } from '../../contract/calls';
import type { libraryCalls, libraryShellCalls } from '../../contract/libraryCalls';
import type { HandlerParts } from '../handlers';

/** What the engine does for each call of `contract/libraryCalls`. */
export function makeLibraryHandlers(
  _parts: HandlerParts,
): Handlers<keyof typeof libraryCalls | keyof typeof libraryShellCalls> {
  return {};
}
