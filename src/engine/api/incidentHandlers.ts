import type { Handlers } from '../../contract/calls';
import type { CallOutput } from '../../contract/engine';
import type { incidentCalls, incidentShellCalls } from '../../contract/incidentCalls';
import type { HandlerParts } from './handlerParts';

/** Implements the calls about incidents. */
export function makeIncidentHandlers({
  incidents,
}: HandlerParts): Handlers<keyof typeof incidentCalls | keyof typeof incidentShellCalls> {
  const rules = (): CallOutput<'incidents.rules'> => ({
    rules: incidents.rules,
    notAllowed: [...incidents.notAllowed],
    notAllowedDigest: incidents.notAllowedDigest,
  });
  return {
    'incidents.list': ({ fromMs, toMs }) => ({ incidents: [...incidents.list(fromMs, toMs)] }),
    'incidents.acknowledge': ({ id }) => incidents.acknowledge(id),
    'incidents.mute': ({ id, untilMs }) => incidents.mute(id, untilMs),
    'incidents.played': ({ node, stream, finding }) => {
      incidents.played(node, stream, finding);
      return { done: true };
    },
    'incidents.rules': rules,
    'incidents.setRules': (input) => {
      incidents.setRules(input.rules);
      return rules();
    },
    'incidents.allow': ({ digest }) => {
      incidents.allow(digest);
      return { done: true };
    },
  };
}
