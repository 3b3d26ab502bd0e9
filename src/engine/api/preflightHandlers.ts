import type { Handlers } from '../../contract/calls';
import type { preflightCalls } from '../../contract/preflightCalls';
import type { Preflights } from '../preflight/preflights';

/** Implements each call of `contract/preflightCalls`. */
export function makePreflightHandlers({
  preflights,
}: {
  readonly preflights: Preflights;
}): Handlers<keyof typeof preflightCalls> {
  return {
    'preflight.run': ({ id, plan }) => preflights.run(id, plan),
    'preflight.cancel': ({ id }) => {
      preflights.cancel(id);
      return { done: true };
    },
  };
}
