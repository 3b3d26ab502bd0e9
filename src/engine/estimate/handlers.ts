import type { Handlers } from '../../contract/calls';
import type { estimateCalls, estimateShellCalls } from '../../contract/estimateCalls';
import type { HandlerParts } from '../handlers';

/** What the engine does for each call of `contract/estimateCalls`. */
export function makeEstimateHandlers(
  _parts: HandlerParts,
): Handlers<keyof typeof estimateCalls | keyof typeof estimateShellCalls> {
  return {};
}
