import { isFiring, lengthMs, type Incident } from './incident';
import type { AlertRule, Severity } from './rules';

/** What a rule calls or starts when an incident begins and when it ends. */
export type AlertAction = { readonly webhook: string } | { readonly command: readonly [string, ...string[]] };

/** Those of a rule that is on. */
export const actionsOf = (rule: AlertRule): readonly AlertAction[] => (rule.isOff ? [] : actionsIn(rule));

/** Those of a rule, on or off. */
export function actionsIn({ webhook, command }: AlertRule): readonly AlertAction[] {
  return [...(webhook === undefined ? [] : [{ webhook }]), ...(command === undefined ? [] : [{ command }])];
}

/** The same for the same address or command, of whichever rule: its whole content. */
export const actionKey = (action: AlertAction): string => JSON.stringify(action);

/** What a webhook receives as JSON, and a command on its standard input. */
export interface AlertPayload {
  readonly incident: string;
  /** Name of the rule by which it was called. */
  readonly rule: string;
  readonly kind: string;
  readonly severity: Severity;
  readonly state: 'firing' | 'resolved';
  /** The first node. */
  readonly node: string;
  /** Names of nodes or streams. */
  readonly subject: readonly string[];
  readonly sentence: string;
  readonly startedAt: string;
  /** Null while it lasts. */
  readonly endedAt: string | null;
  readonly lengthMs: number;
  /** How often it has begun. */
  readonly times: number;
}

/**
 * What has no length, such as a restart, is over when it is reported. `by`: the rule that has the webhook or command, by
 * default the one that began it.
 */
export function payloadOf(
  incident: Incident,
  nowMs: number,
  by: Pick<AlertPayload, 'kind' | 'severity'> & { readonly name: string } = { ...incident, name: incident.rule },
): AlertPayload {
  const { id, node, subjects, beganMs, endedMs, count, began, ended } = incident;
  const { name: rule, kind, severity } = by;
  return {
    ...{ incident: id, rule, kind, severity, state: isFiring(incident) ? 'firing' : 'resolved' },
    ...{ node, subject: subjects, sentence: ended ?? began },
    startedAt: new Date(beganMs).toISOString(),
    endedAt: endedMs === undefined ? null : new Date(endedMs).toISOString(),
    ...{ lengthMs: lengthMs(incident, nowMs), times: count },
  };
}

/** What a command receives in its environment. */
export const alertVariables: Readonly<Record<string, (payload: AlertPayload) => string>> = {
  FULLHOUSE_INCIDENT: ({ incident }) => incident,
  FULLHOUSE_RULE: ({ rule }) => rule,
  FULLHOUSE_KIND: ({ kind }) => kind,
  FULLHOUSE_SEVERITY: ({ severity }) => severity,
  FULLHOUSE_STATE: ({ state }) => state,
  FULLHOUSE_NODE: ({ node }) => node,
  FULLHOUSE_SENTENCE: ({ sentence }) => sentence,
};
