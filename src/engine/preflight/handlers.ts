import type { Handlers } from '../../contract/calls';
import type { preflightCalls, preflightShellCalls } from '../../contract/preflightCalls';
import type { HandlerParts } from '../handlers';

/** What the engine does for each call of `contract/preflightCalls`. */
export function makePreflightHandlers(
  _parts: HandlerParts,
): Handlers<keyof typeof preflightCalls | keyof typeof preflightShellCalls> {
  return {};
}
