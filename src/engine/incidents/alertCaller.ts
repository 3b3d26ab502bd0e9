import { Announcements } from '../../domain/incidents/announcements';
import {
  actionKey,
  actionsOf,
  alertVariables,
  payloadOf,
  type AlertAction,
  type AlertPayload,
} from '../../domain/incidents/alertActions';
import { isSilent, type Incident, type IncidentChange, type IncidentRemark } from '../../domain/incidents/incident';
import type { AlertRule } from '../../domain/incidents/rules';
import { inTime, type Clock } from '../base/clock';
import { log } from '../base/log';
import { runProgram } from '../base/program';
import { postJson } from '../links/http/postJson';
import { missingSecret, resolvedPost, secretsForProgram } from '../secrets/resolve';
import type { SecretBox } from '../secrets/secretBox';
import { CallQueue, maxWaiting, type QueuedCall } from './callQueue';

export interface AlertCallerParts {
  readonly clock: Clock;
  readonly secrets: Pick<SecretBox, 'value' | 'mask'>;
  readonly isAllowed: (action: AlertAction) => boolean;
  /** An action that no rule has, and that is called no more. */
  readonly released: () => void;
  /** For the line of the incident; undefined: what was said there is no longer so. */
  readonly remark: (incident: string, remark: IncidentRemark | undefined) => void;
  /** For the person, at once. */
  readonly problem: (sentence: string) => void;
}

/** Nothing outside may delay what follows it. */
const patienceMs = 10_000;
/** What is being called when the console closes. */
const closeWithinMs = 1500;

interface Call extends QueuedCall {
  readonly what: AlertAction;
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
  private rules: readonly AlertRule[] = [];
  /** Names of the rules that have it, by the key of the action. */
  private names = new Map<string, Set<string>>();
  /** Keys of the actions about which the line of an incident says something, by the incident. */
  private readonly remarked = new Map<string, string>();
  private readonly queue: CallQueue<Call>;
  private readonly abort = new AbortController();

  /** `said`: what was firing when the console was closed, or had ended shortly before; its end is reported too. */
  constructor(
    private readonly parts: AlertCallerParts,
    rules: readonly AlertRule[],
    said: readonly Incident[] = [],
  ) {
    this.queue = new CallQueue(
      (call) => this.perform(call).catch((error: unknown) => this.failed(call, (error as Error).message)),
      (call, isFirst) => this.failed(call, `${maxWaiting} calls are waiting already.`, isFirst),
    );
    this.learn(rules, (key, action) => said.filter(({ rule }) => parts.isAllowed(action) && this.isOf(key, rule)));
  }

  /** Those that may be called still: of the rules, and what is to receive the end of what it was called for. */
  get actions(): readonly AlertAction[] {
    return [...this.known.values()].map(({ action }) => action);
  }

  /** What was called for a rule that no longer has it receives the end still. */
  setRules(rules: readonly AlertRule[]): void {
    this.learn(rules, () => []);
    this.release();
  }

  take(changes: readonly IncidentChange[], nowMs: number): void {
    for (const [key, { action, announcements }] of this.known) {
      const isAllowed = this.parts.isAllowed(action);
      for (const change of changes) {
        const { by, incident } = change;
        const isMissed = !isAllowed && by?.some((name) => this.isOf(key, name)) === true && !isSilent(incident, nowMs);
        if (isMissed) this.remark(incident.id, key, notAllowed);
        // What is not allowed, muted or acknowledged was not said, and the next begin may be; the end of what was said
        // always is.
        const wants = (name: string): boolean => isAllowed && this.isOf(key, name) && !isSilent(incident, nowMs);
        const rule = announcements.takes(change, wants, nowMs);
        if (rule !== undefined) this.call(action, incident, rule, nowMs);
      }
    }
  }

  /** The ends of what came and went, once it rests; returns whether there were any. */
  tick(find: (id: string) => Incident | undefined, nowMs: number): boolean {
    let isAnyDue = false;
    for (const { action, announcements } of this.known.values())
      for (const { incident, rule } of announcements.due(find, nowMs)) {
        isAnyDue = true;
        this.call(action, incident, rule, nowMs);
      }
    for (const id of this.remarked.keys()) if (!find(id)) this.remarked.delete(id);
    this.release();
    return isAnyDue;
  }

  /** Resolves when what is being called is done, or was ended. What waits is reported. */
  async close(): Promise<void> {
    for (const { what, payload } of this.queue.close())
      log.warn(`${nameOf(what)} was not called before the exit: ${payload.sentence}`);
    await inTime(this.parts.clock, this.queue.whenDone(), closeWithinMs);
    this.abort.abort();
  }

  private learn(rules: readonly AlertRule[], said: (key: string, action: AlertAction) => readonly Incident[]): void {
    this.rules = rules;
    const all = rules.flatMap((rule) => actionsOf(rule).map((action) => ({ name: rule.name, action })));
    this.names = new Map();
    for (const { name, action } of all) {
      const key = actionKey(action);
      this.names.set(key, (this.names.get(key) ?? new Set()).add(name));
    }
    for (const { action } of all) {
      const key = actionKey(action);
      if (!this.known.has(key)) this.known.set(key, { action, announcements: new Announcements(said(key, action)) });
    }
  }

  /** Forgets what no rule has and that is owed no end. */
  private release(): void {
    const left = [...this.known].filter(([key, { announcements }]) => !this.names.has(key) && !announcements.isOwed);
    for (const [key] of left) this.known.delete(key);
    if (left.length > 0) this.parts.released();
  }

  private isOf(key: string, rule: string): boolean {
    return this.names.get(key)?.has(rule) === true;
  }

  private call(action: AlertAction, incident: Incident, rule: string, nowMs: number): void {
    if (!this.parts.isAllowed(action)) return;
    // Undefined: one that was removed meanwhile.
    const by = this.rules.find(({ name }) => name === rule);
    const payload = this.parts.secrets.mask.value(payloadOf(incident, nowMs, by), ['payload']);
    const isEnd = payload.state === 'resolved';
    this.queue.add({ what: action, payload, action: actionKey(action), incident: incident.id, isEnd });
  }

  private async perform(call: Call): Promise<void> {
    await this.start(call);
    const { incident, action } = call;
    // Unless it is about another one.
    if ((this.remarked.get(incident) ?? action) === action) this.remark(incident, action, undefined);
  }

  private async start({ what, payload }: Call): Promise<void> {
    const { secrets, clock } = this.parts;
    const missing = missingSecret(what, secrets);
    if (missing !== undefined) throw new Error(missing);
    const { signal } = this.abort;
    if ('webhook' in what)
      return postJson(resolvedPost(what.webhook, secrets), payload, { clock, timeoutMs: patienceMs, signal });
    const variables = Object.fromEntries(Object.entries(alertVariables).map(([name, value]) => [name, value(payload)]));
    const named = secretsForProgram(what.command, secrets);
    const input = named === undefined ? payload : { ...payload, secrets: JSON.parse(named) as unknown };
    await runProgram(what.command, {
      ...{ variables, timeoutMs: patienceMs, isKilled: true, signal, input: `${JSON.stringify(input)}\n` },
      isSecret: (value) => secrets.mask.has(value),
    });
  }

  private failed({ what, payload, action }: Call, why: string, isReported = true): void {
    const sentence = this.parts.secrets.mask.text(
      `${nameOf(what)} failed for ${payload.rule} (${payload.state}): ${why} ` +
        `Check the ${'webhook' in what ? 'webhook' : 'command'} in Alert rules.`,
    );
    this.remark(payload.incident, action, { result: 'failed', sentence: sentence.slice(0, 500) });
    if (!isReported) return;
    log.warn(sentence);
    this.parts.problem(sentence);
  }

  private remark(incident: string, key: string, remark: IncidentRemark | undefined): void {
    if (remark === undefined) this.remarked.delete(incident);
    else this.remarked.set(incident, key);
    this.parts.remark(incident, remark);
  }
}

/** Without what may be a secret: the path of an address, and arguments. */
function nameOf(action: AlertAction): string {
  if ('command' in action) return `The command ${action.command[0]}`;
  return `The webhook at ${/^https?:\/\/([^/?#]*)/i.exec(action.webhook)?.[1] ?? 'its address'}`;
}
