import type { IncidentChange } from './incident';
import type { IncidentLines, Occurrence } from './incidentLines';
import type { NodeFacts } from './nodeFacts';
import { appliesTo, type AlertRule, type RuleOf } from './rules';
import * as say from './sentences';
import { StreamWatch } from './streamWatch';

/** After its start or a pause of the console its links need this long to be up. */
const reconnectMs = 30_000;
/** Offsets of clocks are measured again within this time. */
const remeasuredMs = 60_000;

/** A cause that several rules know. */
export const causeOf = (rule: AlertRule, node: string, subject = ''): string =>
  [rule.name, node, ...(subject === '' ? [] : [subject])].join('|');

/** One node: what changes from one look at it to the next. */
export class NodeWatch {
  private before: NodeFacts | undefined;
  private rules: readonly AlertRule[] = [];
  /** Those of its rules that are for this node. */
  private mine: readonly AlertRule[] = [];
  private wasLive = false;
  /** Until then its clock's offset is of the time before this machine's clock was set. */
  private offsetAfterMs = -Infinity;
  private lostSince: { readonly timeMs: number; readonly isFirst: boolean } | undefined;
  /** When the console continued after a pause; a missing response soon after it may be the console's own. */
  private resumedMs = -Infinity;
  /** When it was first watched. */
  private firstMs: number | undefined;
  private readonly streams: StreamWatch;

  constructor(
    private readonly id: string,
    private readonly lines: IncidentLines,
  ) {
    this.streams = new StreamWatch(lines);
  }

  get facts(): NodeFacts | undefined {
    return this.before;
  }

  take(facts: NodeFacts, rules: readonly AlertRule[], nowMs: number): readonly IncidentChange[] {
    const before = this.before ?? facts;
    // What is unknown now is compared once it is known again.
    this.before = {
      ...facts,
      host: facts.host ?? before.host,
      software: facts.software ?? before.software,
      boot: facts.boot ?? before.boot,
      processes: facts.processes ?? before.processes,
      clockOffsetMs: nowMs < this.offsetAfterMs ? undefined : (facts.clockOffsetMs ?? before.clockOffsetMs),
      memoryBytes: facts.memoryBytes ?? before.memoryBytes,
    };
    if (this.rules !== rules) {
      this.rules = rules;
      this.mine = rules.filter((rule) => appliesTo(rule, facts));
    }
    // A loss comes first: a reboot that is found with it belongs to it.
    const changes = this.mine.flatMap((rule) => (rule.kind === 'node-lost' ? this.lost(rule, facts, nowMs) : []));
    for (const rule of this.mine) changes.push(...this.judge(rule, before, facts, nowMs));
    changes.push(...this.streams.take(facts, this.mine, nowMs));
    return changes;
  }

  private judge(rule: AlertRule, before: NodeFacts, facts: NodeFacts, nowMs: number): readonly IncidentChange[] {
    if (rule.kind === 'host-rebooted') return this.rebooted(rule, before, facts, nowMs);
    if (rule.kind === 'process-restarted') return this.restarted(rule, before, facts, nowMs);
    if (rule.kind === 'version-changed') return this.version(rule, before, facts, nowMs);
    if (rule.kind === 'clock-stepped') return this.clock(rule, before, facts, nowMs);
    return rule.kind === 'certificate-expiring' ? this.certificate(rule, facts, nowMs) : [];
  }

  /** Its offset is to be measured anew. */
  forgetOffset(nowMs: number): void {
    this.offsetAfterMs = nowMs + remeasuredMs;
    if (this.before) this.before = { ...this.before, clockOffsetMs: undefined };
  }

  /** The console did not run until now. */
  pause(nowMs: number): void {
    this.lostSince = undefined;
    this.resumedMs = nowMs;
    this.streams.pause();
  }

  private lost(rule: RuleOf<'node-lost'>, facts: NodeFacts, nowMs: number): readonly IncidentChange[] {
    const { state, lastSampleMs, problem } = facts;
    const firstMs = (this.firstMs ??= nowMs);
    const cause = causeOf(rule, this.id);
    if (state === 'live' || state === 'idle') {
      this.wasLive ||= state === 'live';
      this.lostSince = undefined;
      return this.lines.end(cause, nowMs, state === 'live' ? say.lostEnded : say.stopped);
    }
    if (state === 'starting') return [];
    this.lostSince ??= {
      // Silent since its last sample, unless nothing was watched then.
      timeMs: state === 'stale' ? Math.max(lastSampleMs ?? nowMs, firstMs, this.resumedMs) : nowMs,
      isFirst: !this.wasLive,
    };
    const { timeMs, isFirst } = this.lostSince;
    const patientSinceMs = isFirst ? firstMs : this.resumedMs;
    if (nowMs < patientSinceMs + reconnectMs || nowMs - timeMs < rule.forMs) return [];
    const reason = say.reasonOf(this.id, problem);
    return this.lines.begin({
      ...this.about(rule, timeMs),
      places: [...this.downPlaces, ...hostPlace('down', facts)],
      group: `${rule.name}|${reason.replace(/\d+/g, '#')}`,
      sentence: say.lostBegan(reason, isFirst),
    });
  }

  private rebooted(
    rule: RuleOf<'host-rebooted'>,
    before: NodeFacts,
    facts: NodeFacts,
    nowMs: number,
  ): readonly IncidentChange[] {
    if (before.boot === undefined || facts.boot === undefined || before.boot === facts.boot) return [];
    const places = [...this.downPlaces, ...hostPlace('down', facts)];
    return this.lines.moment({ ...this.about(rule, nowMs), places, sentence: say.rebooted });
  }

  private restarted(
    rule: RuleOf<'process-restarted'>,
    before: NodeFacts,
    facts: NodeFacts,
    nowMs: number,
  ): readonly IncidentChange[] {
    const [old = [], now = []] = [before.processes, facts.processes];
    // One of several workers may be replaced by a new one at any time.
    const isSame = now.some(({ pid, startedAt }) =>
      old.some((each) => each.pid === pid && each.startedAt === startedAt),
    );
    const [first, next] = [old[0], now[0]];
    if (!first || !next || isSame) return [];
    // All processes of a rebooted host are new.
    if (before.boot !== undefined && facts.boot !== undefined && before.boot !== facts.boot) return [];
    const sentence = say.restarted(first.pid, next.pid);
    return this.lines.moment({ ...this.about(rule, nowMs), places: this.downPlaces, sentence });
  }

  private version(
    rule: RuleOf<'version-changed'>,
    { software: old }: NodeFacts,
    { software: now }: NodeFacts,
    nowMs: number,
  ): readonly IncidentChange[] {
    if (old === undefined || now === undefined || old === now) return [];
    // A version that could not be read this time.
    if (old.startsWith(`${now} `) || now.startsWith(`${old} `)) return [];
    const sentence = say.versionChanged(old, now);
    return this.lines.moment({ ...this.about(rule, nowMs), places: this.downPlaces, sentence });
  }

  private clock(
    rule: RuleOf<'clock-stepped'>,
    { clockOffsetMs: old }: NodeFacts,
    { clockOffsetMs: now }: NodeFacts,
    nowMs: number,
  ): readonly IncidentChange[] {
    if (old === undefined || now === undefined || Math.abs(now - old) < rule.aboveMs) return [];
    return this.stepped(rule, now - old, nowMs);
  }

  /** Its clock was set by `stepMs`. */
  stepped(rule: RuleOf<'clock-stepped'>, stepMs: number, nowMs: number): readonly IncidentChange[] {
    if (Math.abs(stepMs) < rule.aboveMs) return [];
    const group = `${rule.name}|${Math.round(stepMs / 1000)}`;
    return this.lines.moment({ ...this.about(rule, nowMs), group, sentence: say.stepped(stepMs) });
  }

  private certificate(
    rule: RuleOf<'certificate-expiring'>,
    facts: NodeFacts,
    nowMs: number,
  ): readonly IncidentChange[] {
    const { certificateExpiresMs: expiresMs } = facts;
    if (expiresMs === undefined) return [];
    if (expiresMs - nowMs >= rule.withinMs) return this.lines.end(causeOf(rule, this.id), nowMs, say.renewed);
    const places = hostPlace(rule.name, facts);
    return this.lines.begin({ ...this.about(rule, nowMs), places, sentence: say.expires(expiresMs - nowMs) });
  }

  private about(rule: AlertRule, timeMs: number): Omit<Occurrence, 'sentence'> {
    return { rule, node: this.id, cause: causeOf(rule, this.id), places: [], subject: this.id, timeMs };
  }

  private get downPlaces(): readonly string[] {
    return [`down|${this.id}`];
  }
}

/** What is the same for all nodes of a machine. */
export const hostPlace = (what: string, { host }: Pick<NodeFacts, 'host'>): readonly string[] =>
  host === undefined ? [] : [`${what}|on ${host}`];
