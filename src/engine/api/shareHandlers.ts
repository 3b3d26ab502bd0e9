import type { Handlers } from '../../contract/calls';
import type { shareCalls, shareShellCalls } from '../../contract/shareCalls';
import type { HandlerParts } from './handlerParts';
import { makePrometheusHandlers } from './prometheusHandlers';
import { makeSnapshotHandlers } from './snapshotHandlers';

/** Implements the calls of `contract/shareCalls`. */
export function makeShareHandlers(
  parts: HandlerParts,
): Handlers<keyof typeof shareCalls | keyof typeof shareShellCalls> {
  return { ...makePrometheusHandlers(parts), ...makeSnapshotHandlers(parts) };
}
