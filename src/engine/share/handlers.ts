import type { Handlers } from '../../contract/calls';
import type { shareCalls, shareShellCalls } from '../../contract/shareCalls';
import type { HandlerParts } from '../handlers';
import { makePrometheusHandlers } from './prometheusHandlers';
import { makeSnapshotHandlers } from './snapshotHandlers';

/** What the engine does for each call of `contract/shareCalls`. */
export function makeShareHandlers(
  parts: HandlerParts,
): Handlers<keyof typeof shareCalls | keyof typeof shareShellCalls> {
  return { ...makePrometheusHandlers(parts), ...makeSnapshotHandlers(parts) };
}
