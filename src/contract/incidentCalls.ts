import { z } from 'zod';
import { incident, type Incident } from '../domain/incidents/incident';
import { alertRules } from '../domain/incidents/rules';
import { windowTimeMs } from './schemas';

const incidentId = z.string().min(1).max(40);

/** Incidents of the fleet, with and without a run, and the rules by which they begin. */
export const incidentCalls = {
  /** Those that lasted in this time: firing ones first, then the newest. */
  'incidents.list': {
    input: z.strictObject({ fromMs: windowTimeMs.optional(), toMs: windowTimeMs.optional() }),
    output: z.object({ incidents: z.array(incident) }),
  },
  'incidents.acknowledge': { input: z.strictObject({ id: incidentId }), output: incident },
  /** Without a time it is no longer muted. */
  'incidents.mute': { input: z.strictObject({ id: incidentId, untilMs: windowTimeMs.optional() }), output: incident },
  'incidents.rules': { input: z.strictObject({}), output: z.object({ rules: alertRules }) },
  /** Replaces all rules; what lasts by a rule that changed is over. */
  'incidents.setRules': {
    input: z.strictObject({ rules: alertRules }),
    output: z.object({ rules: alertRules }),
  },
} as const;

const change = z.object({
  change: z.enum(['opened', 'updated', 'resolved']),
  incident,
  /** By its rule, a notification of the system. */
  notifies: z.boolean(),
});

/** The last state of each incident that has changed. */
export const incidentEvents = { incidents: z.object({ changes: z.array(change) }) } as const;

export interface IncidentNews {
  changes: Array<{ change: 'opened' | 'updated' | 'resolved'; incident: Incident; notifies: boolean }>;
}
