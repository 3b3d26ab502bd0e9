import { Announcements } from '../../domain/incidents/announcements';
import {
  actionKey,
  actionsOf,
  alertVariables,
  payloadOf,
  type AlertAction,
  type AlertPayload,
} from '../../domain/incidents/alertActions';
import { isMuted, type Incident, type IncidentChange, type IncidentRemark } from '../../domain/incidents/incident';
import type { AlertRule } from '../../domain/incidents/rules';
import { inTime, type Clock } from '../base/clock';
import { log } from '../base/log';
import { runProgram } from '../base/program';
import { postJson } from '../links/http/postJson';
import { missingSecret, resolvedPost, secretsForProgram } from '../secrets/resolve';
import type { SecretBox } from '../secrets/secretBox';

export interface AlertCallerParts {
  readonly clock: Clock;
  readonly secrets: Pick<SecretBox, 'value' | 'mask'>;
  readonly isAllowed: (action: AlertAction) => boolean;
  /** For the line of the incident. */
  readonly remark: (incident: string, remark: IncidentRemark) => void;
  /** For the person, at once. */
  readonly problem: (sentence: string) => void;
}

/** Nothing outside may delay what follows it. */
const patienceMs = 10_000;
const maxRunning = 4;
const maxWaiting = 200;
/** What is being called when the console closes. */
const closeWithinMs = 1500;

interface Call {
  readonly action: AlertAction;
  readonly key: string;
  readonly payload: AlertPayload;
}

const notAllowed: IncidentRemark = {
  result: 'not-allowed',
  sentence:
    'Its webhook or command was not used: it is not allowed yet. Allow it in Alert rules, or with --allow-hooks.',
};

/** Calls the webhooks and starts the commands of the alert rules, as announcements decide; never what is not allowed. */
export class AlertCaller {
  /** By its key. Each address and command has its own announcements: the last that it was called with is the state. */
  private readonly known = new Map<string, { readonly action: AlertAction; readonly announcements: Announcements }>();
  private waiting: Call[] = [];
  private readonly running = new Map<Call, Promise<void>>();
  private readonly abort = new AbortController();

  /** `firing`: what was firing when the console was closed; its end is reported too. */
  constructor(
    private readonly parts: AlertCallerParts,
    private rules: readonly AlertRule[],
    firing: readonly Incident[] = [],
  ) {
    this.learn((key, action) =>
      firing
        .filter((each) => parts.isAllowed(action) && rules.some((rule) => rule.name === each.rule && has(rule, key)))
        .map(({ id }) => id),
    );
  }

  /** What was called for a rule that no longer has it receives the end still. */
  setRules(rules: readonly AlertRule[]): void {
    this.rules = rules;
    this.learn(() => []);
  }

  take(changes: readonly IncidentChange[], nowMs: number): void {
    for (const [key, { action, announcements }] of this.known) {
      const isAllowed = this.parts.isAllowed(action);
      const isOf = (name: string): boolean => this.rules.some((rule) => rule.name === name && has(rule, key));
      for (const change of changes) {
        const { by, incident } = change;
        if (!isAllowed && by !== undefined && isOf(by) && !isSilent(incident, nowMs))
          this.parts.remark(incident.id, notAllowed);
        // What is not allowed was not said: once it is, the next begin is.
        if (announcements.takes(change, (name) => isAllowed && isOf(name), nowMs)) this.call(action, incident, nowMs);
      }
    }
  }

  /** The ends of what came and went, once it rests. */
  tick(find: (id: string) => Incident | undefined, nowMs: number): void {
    for (const { action, announcements } of this.known.values())
      for (const incident of announcements.due(nowMs).flatMap((id) => find(id) ?? []))
        this.call(action, incident, nowMs);
  }

  /** Resolves when what is being called is done, or was ended. What waits is reported. */
  async close(): Promise<void> {
    const left = this.waiting;
    this.waiting = [];
    for (const { action, payload } of left)
      log.warn(`${nameOf(action)} was not called before the exit: ${payload.sentence}`);
    await inTime(this.parts.clock, Promise.all(this.running.values()), closeWithinMs);
    this.abort.abort();
  }

  private learn(said: (key: string, action: AlertAction) => readonly string[]): void {
    for (const action of this.rules.flatMap(actionsOf)) {
      const key = actionKey(action);
      if (!this.known.has(key)) this.known.set(key, { action, announcements: new Announcements(said(key, action)) });
    }
  }

  private call(action: AlertAction, incident: Incident, nowMs: number): void {
    if (isSilent(incident, nowMs) || !this.parts.isAllowed(action)) return;
    const payload = this.parts.secrets.mask.value(payloadOf(incident, nowMs), ['payload']);
    if (this.waiting.length >= maxWaiting)
      return this.failed({ action, payload, key: '' }, `${maxWaiting} calls are waiting already.`);
    this.waiting.push({ action, payload, key: `${actionKey(action)} ${incident.id}` });
    this.next();
  }

  private next(): void {
    while (this.running.size < maxRunning) {
      const busy = new Set([...this.running.keys()].map(({ key }) => key));
      // A begin arrives before its end.
      const call = this.waiting.find(({ key }) => !busy.has(key));
      if (!call) return;
      this.waiting = this.waiting.filter((each) => each !== call);
      const done = this.perform(call)
        .catch((error: unknown) => this.failed(call, (error as Error).message))
        .finally(() => {
          this.running.delete(call);
          this.next();
        });
      this.running.set(call, done);
    }
  }

  private async perform({ action, payload }: Call): Promise<void> {
    const { secrets, clock } = this.parts;
    const missing = missingSecret(action, secrets);
    if (missing !== undefined) throw new Error(missing);
    const { signal } = this.abort;
    if ('webhook' in action)
      return postJson(resolvedPost(action.webhook, secrets), payload, { clock, timeoutMs: patienceMs, signal });
    const variables = Object.fromEntries(Object.entries(alertVariables).map(([name, value]) => [name, value(payload)]));
    const named = secretsForProgram(action.command, secrets);
    const input = named === undefined ? payload : { ...payload, secrets: JSON.parse(named) as unknown };
    await runProgram(action.command, {
      ...{ variables, timeoutMs: patienceMs, isKilled: true, signal, input: `${JSON.stringify(input)}\n` },
      isSecret: (value) => secrets.mask.has(value),
    });
  }

  private failed({ action, payload }: Call, why: string): void {
    const sentence = this.parts.secrets.mask.text(
      `${nameOf(action)} failed for ${payload.rule} (${payload.state}): ${why} ` +
        `Check the ${'webhook' in action ? 'webhook' : 'command'} in Alert rules.`,
    );
    log.warn(sentence);
    this.parts.remark(payload.incident, { result: 'failed', sentence: sentence.slice(0, 500) });
    this.parts.problem(sentence);
  }
}

/** Without what may be a secret: the path of an address, and arguments. */
function nameOf(action: AlertAction): string {
  if ('command' in action) return `The command ${action.command[0]}`;
  return `The webhook at ${/^https?:\/\/([^/?#]*)/i.exec(action.webhook)?.[1] ?? 'its address'}`;
}

const has = (rule: AlertRule, key: string): boolean => actionsOf(rule).some((action) => actionKey(action) === key);

const isSilent = (incident: Incident, nowMs: number): boolean =>
  isMuted(incident, nowMs) || incident.acknowledgedMs !== undefined;
