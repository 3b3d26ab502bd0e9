import type { Handlers } from '../../contract/calls';
import type { incidentCalls } from '../../contract/incidentCalls';
import type { HandlerParts } from './handlerParts';

/** Implements the calls about incidents. */
export function makeIncidentHandlers({ incidents }: HandlerParts): Handlers<keyof typeof incidentCalls> {
  return {
    'incidents.list': ({ fromMs, toMs }) => ({ incidents: [...incidents.list(fromMs, toMs)] }),
    'incidents.acknowledge': ({ id }) => incidents.acknowledge(id),
    'incidents.mute': ({ id, untilMs }) => incidents.mute(id, untilMs),
    'incidents.rules': () => ({ rules: incidents.rules }),
    'incidents.setRules': ({ rules }) => {
      incidents.setRules(rules);
      return { rules: incidents.rules };
    },
  };
}
