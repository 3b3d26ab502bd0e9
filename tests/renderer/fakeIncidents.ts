import type { Incident } from '../../src/domain/incidents/incident';
import { alertConsentOf } from '../../src/domain/consent/alertConsent';
import { defaultRules, type AlertRule } from '../../src/domain/incidents/rules';
import { FullhouseError, type Handlers } from '../../src/contract/calls';
import type { incidentCalls } from '../../src/contract/incidentCalls';

const minuteMs = 60_000;

function incident(over: Partial<Incident> & Pick<Incident, 'id' | 'beganMs' | 'began'>): Incident {
  const { node = 'origin', beganMs } = over;
  return {
    ...{ rule: 'node-lost', kind: 'node-lost', severity: 'critical', node, nodes: [node], subjects: [node] },
    ...{ causes: [over.id], firing: over.endedMs === undefined ? [over.id] : [], places: [], unwatched: [] },
    ...{ lastMs: over.endedMs ?? beganMs, count: 1 },
    ...over,
  };
}

/** Some of each kind, up to now. */
export function sampleIncidents(nowMs: number): readonly Incident[] {
  const ago = (minutes: number): number => nowMs - minutes * minuteMs;
  return [
    incident({
      ...{ id: 'a', beganMs: ago(1.7), nodes: ['origin', 'tester-1'] },
      began: 'origin and tester-1 stopped responding: connections were refused.',
    }),
    incident({
      ...{
        id: 'b',
        node: 'local',
        rule: 'cpu-high',
        kind: 'level',
        severity: 'warning',
        series: 'cpuPercent',
        worst: 97,
      },
      ...{
        beganMs: ago(14),
        count: 3,
        acknowledgedMs: ago(2),
        began: 'CPU of local is above 90 % for 1 min: 96.4 %.',
      },
    }),
    incident({
      ...{
        id: 'c',
        rule: 'gc-pause',
        kind: 'gc-pause',
        severity: 'warning',
        beganMs: ago(700),
        endedMs: ago(30),
        count: 1000,
      },
      began: 'origin paused for 812 ms of garbage collection.',
    }),
    incident({
      ...{
        id: 'd',
        rule: 'publisher-gone',
        kind: 'publisher-gone',
        severity: 'warning',
        beganMs: ago(95),
        endedMs: ago(90),
      },
      began: 'The stream news of origin has no publisher.',
      ended: 'The stream news of origin was without a publisher for 5 min.',
      remark: {
        result: 'failed',
        sentence: 'The webhook of publisher-gone did not answer within 10 s. Check the address in the alert rules.',
      },
    }),
    incident({
      ...{
        id: 'e',
        rule: 'version-changed',
        kind: 'version-changed',
        severity: 'info',
        beganMs: ago(2000),
        endedMs: ago(2000),
      },
      began: 'The version of origin changed from SRS 7.0.18 to SRS 7.0.19.',
      unwatched: [{ fromMs: ago(2600), toMs: ago(2100) }],
    }),
  ];
}

/** Answers of the fake engine about incidents. */
export function incidentHandlers(given: readonly Incident[]): Handlers<keyof typeof incidentCalls> {
  let all = given;
  let rules: readonly AlertRule[] = defaultRules;
  const rulesNow = () => ({
    rules,
    notAllowed: alertConsentOf(rules, () => false).map(({ item }) => item),
    notAllowedDigest: '',
  });
  const change = (id: string, patch: Partial<Incident>): Incident => {
    const known = all.find((each) => each.id === id);
    if (!known) throw new FullhouseError('no-incident', 'This incident is no longer in the list.');
    const next = { ...known, ...patch };
    all = all.map((each) => (each.id === id ? next : each));
    return next;
  };
  return {
    'incidents.list': () => ({ incidents: [...all] }),
    'incidents.acknowledge': ({ id }) => change(id, { acknowledgedMs: Date.now() }),
    'incidents.mute': ({ id, untilMs }) => change(id, { mutedUntilMs: untilMs ?? 0 }),
    'incidents.played': () => ({ done: true }),
    'incidents.rules': rulesNow,
    'incidents.setRules': (input) => {
      rules = input.rules;
      return rulesNow();
    },
  };
}
