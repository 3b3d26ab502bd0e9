import type { Handlers } from '../../contract/calls';
import type { preflightCalls } from '../../contract/preflightCalls';
import { permissionOf, type PlanGate } from '../consent/planGate';
import type { Preflights } from '../preflight/preflights';

/** Implements each call of `contract/preflightCalls`. */
export function makePreflightHandlers({
  gate,
  preflights,
}: {
  readonly gate: PlanGate;
  readonly preflights: Preflights;
}): Handlers<keyof typeof preflightCalls> {
  return {
    'preflight.run': async ({ id, plan, ...given }) =>
      preflights.run(id, gate.allow(plan, permissionOf(given), 'nodes')),
    'preflight.cancel': ({ id }) => {
      preflights.cancel(id);
      return { done: true };
    },
  };
}
