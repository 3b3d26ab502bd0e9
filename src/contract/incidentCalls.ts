import { z } from 'zod';
import { incident, type Incident } from '../domain/incidents/incident';
import { streamFindings } from '../domain/node/streamCheck';
import { alertRules } from '../domain/incidents/rules';
import { consentItem } from './consentCalls';
import { nodeName, streamName, windowTimeMs } from './schemas';

const incidentId = z.string().min(1).max(40);

const rulesNow = z.object({
  rules: alertRules,
  /** Webhooks and commands of the rules that a person has to allow before they are used. */
  notAllowed: z.array(consentItem),
  /** Of its whole content. */
  notAllowedDigest: z.string(),
});

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
  /** What the control player found in a stream that it has played for some seconds. */
  'incidents.played': {
    input: z.strictObject({ node: nodeName, stream: streamName, finding: z.enum(streamFindings) }),
    output: z.object({ done: z.literal(true) }),
  },
  'incidents.rules': { input: z.strictObject({}), output: rulesNow },
  /** Replaces all rules; what lasts by a rule that changed is over. */
  'incidents.setRules': { input: z.strictObject({ rules: alertRules }), output: rulesNow },
} as const;

/** For the main process only: a page that could allow its own rules could start any program. */
export const incidentShellCalls = {
  /** The person has read `notAllowed` with this digest in a native dialog, and allowed all of it. */
  'incidents.allow': {
    input: z.strictObject({ digest: z.string().max(100) }),
    output: z.object({ done: z.literal(true) }),
  },
} as const;

const change = z.object({
  change: z.enum(['opened', 'updated', 'resolved']),
  incident,
  /** By its rule, a notification of the system. */
  notifies: z.boolean(),
});

/** The last state of each incident that has changed. */
export const incidentEvents = {
  incidents: z.object({ changes: z.array(change) }),
  /** A webhook or a command of a rule has failed; one sentence. */
  alertProblem: z.object({ problem: z.string() }),
} as const;

export interface IncidentNews {
  changes: Array<{ change: 'opened' | 'updated' | 'resolved'; incident: Incident; notifies: boolean }>;
}
