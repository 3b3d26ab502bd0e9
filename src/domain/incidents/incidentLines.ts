import { isFiring, type Incident, type IncidentChange, type IncidentPatch, type IncidentRemark } from './incident';
import { severities, type AlertRule, type RuleKind, type Severity } from './rules';
import type { SeriesId } from '../series/series';

/** Something that begins, or happens at one time. */
export interface Occurrence {
  readonly rule: AlertRule;
  readonly node: string;
  /** What is the same when it happens again: rule, node and subject. */
  readonly cause: string;
  /** It belongs to an incident at one of these places that lasts, or was a minute ago. */
  readonly places: readonly string[];
  /** But to none of this kind. */
  readonly apartFrom?: RuleKind;
  /** It belongs to an incident of this group that has begun at the same time. */
  readonly group?: string;
  readonly subject: string;
  readonly timeMs: number;
  readonly sentence: (subjects: readonly string[]) => string;
  readonly series?: SeriesId;
  readonly value?: number;
}

export interface LinesOptions {
  /** The same cause within this time is the same incident; default 10 minutes. */
  readonly quietMs?: number;
  /** Number of incidents that are kept; default 5,000. */
  readonly max?: number;
}

/** Of a reboot, the loss of the node and its new processes are noticed one after the other. */
const samePlaceMs = 60_000;
/** Nodes that fail together are noticed within this time. */
const togetherMs = 10_000;
const maxSubjects = 200;

/** All incidents, one for each cause. */
export class IncidentLines {
  /** By id, in order of their begin. */
  private readonly all = new Map<string, Incident>();
  /** Those that last, or may happen again. */
  private recent: string[] = [];
  /** Ids of what lasts, by its cause. */
  private readonly lasting = new Map<string, string>();
  private readonly groups = new Map<string, string>();
  private readonly muted = new Map<string, number>();
  private lastId = 0;
  private readonly quietMs: number;
  private readonly max: number;

  constructor(known: readonly Incident[] = [], { quietMs = 600_000, max = 5000 }: LinesOptions = {}) {
    this.quietMs = quietMs;
    this.max = max;
    for (const each of known) {
      this.all.set(each.id, each);
      this.recent.push(each.id);
      for (const cause of each.firing) this.lasting.set(cause, each.id);
      this.lastId = Math.max(this.lastId, Number(each.id.split('-').at(-1)) || 0);
      for (const cause of each.causes) if (each.mutedUntilMs !== undefined) this.muted.set(cause, each.mutedUntilMs);
    }
  }

  get incidents(): readonly Incident[] {
    return [...this.all.values()];
  }

  get firing(): readonly Incident[] {
    return this.recentOnes().filter(isFiring);
  }

  get isAnyFiring(): boolean {
    return this.lasting.size > 0;
  }

  find(id: string): Incident | undefined {
    return this.all.get(id);
  }

  isFiring(cause: string): boolean {
    return this.lasting.has(cause);
  }

  firingOf(cause: string): Incident | undefined {
    return this.all.get(this.lasting.get(cause) ?? '');
  }

  /** Something begins; no change if it lasts already. */
  begin(what: Occurrence): readonly IncidentChange[] {
    if (this.isFiring(what.cause)) return [];
    const known = this.match(what);
    if (!known) return [this.open(what)];
    const isAgain = !isFiring(known) && known.causes.includes(what.cause);
    const next = this.joined(known, what);
    const firing = [...known.firing, what.cause];
    const patch = { firing, endedMs: undefined, ended: undefined, count: known.count + (isAgain ? 1 : 0) };
    return [{ ...this.set(next, patch), by: [what.rule.name] }];
  }

  /** Something without a length happens. */
  moment(what: Occurrence): readonly IncidentChange[] {
    const known = this.match(what);
    if (!known) {
      const opened = this.open(what);
      return [{ ...opened, incident: this.set(opened.incident, { firing: [], endedMs: what.timeMs }).incident }];
    }
    const isAgain = known.causes.includes(what.cause);
    // The end of what lasted is known, and its sentence has its length.
    const isOver = isFiring(known) || known.ended !== undefined;
    const end = isOver ? {} : { endedMs: Math.max(known.endedMs ?? 0, what.timeMs) };
    const change = this.set(this.joined(known, what), { ...end, count: known.count + (isAgain ? 1 : 0) });
    return [{ ...change, by: [what.rule.name] }];
  }

  /** A worse value of something that lasts. */
  worsen(cause: string, value: number, isUpper: boolean): readonly IncidentChange[] {
    const known = this.firingOf(cause);
    if (!known) return [];
    const worst = known.worst === undefined ? value : Math[isUpper ? 'max' : 'min'](known.worst, value);
    return worst === known.worst ? [] : [this.set(known, { worst })];
  }

  end(cause: string, timeMs: number, sentence: (incident: Incident) => string): readonly IncidentChange[] {
    const known = this.firingOf(cause);
    if (!known) return [];
    const firing = known.firing.filter((each) => each !== cause);
    if (firing.length > 0) return [this.set(known, { firing })];
    const endedMs = Math.max(timeMs, known.beganMs);
    const { incident } = this.set(known, { firing, endedMs, lastMs: Math.max(endedMs, known.lastMs) });
    return [{ change: 'resolved', incident: this.set(incident, { ended: sentence(incident) }).incident }];
  }

  /** Nothing was watched from `fromMs` to `toMs`: what lasted before may have ended and begun again. */
  unwatched(fromMs: number, toMs: number): readonly IncidentChange[] {
    return this.firing.map((each) => this.set(each, { unwatched: [...each.unwatched, { fromMs, toMs }].slice(-20) }));
  }

  acknowledge(id: string, nowMs: number): readonly IncidentChange[] {
    const known = this.all.get(id);
    return known && known.acknowledgedMs === undefined ? [this.set(known, { acknowledgedMs: nowMs })] : [];
  }

  /** Mutes the incident, and others of its causes that begin until then. */
  mute(id: string, untilMs: number | undefined): readonly IncidentChange[] {
    const known = this.all.get(id);
    if (!known) return [];
    for (const cause of known.causes)
      if (untilMs === undefined) this.muted.delete(cause);
      else this.muted.set(cause, untilMs);
    return [this.set(known, { mutedUntilMs: untilMs })];
  }

  /** Says something about it on its line, or no longer; no change if it is so already. */
  remark(id: string, remark: IncidentRemark | undefined): readonly IncidentChange[] {
    const known = this.all.get(id);
    return known && known.remark?.sentence !== remark?.sentence ? [this.set(known, { remark })] : [];
  }

  /** Forgets what can no longer happen again as the same incident, and the oldest ones. */
  tick(nowMs: number): void {
    if (this.recent.length === 0 && this.all.size <= this.max) return;
    this.recent = this.recent.filter((id) => {
      const each = this.all.get(id);
      return each !== undefined && (isFiring(each) || nowMs - each.lastMs <= this.quietMs);
    });
    for (const [group, id] of this.groups) if (!this.recent.includes(id)) this.groups.delete(group);
    for (const [cause, untilMs] of this.muted) if (untilMs <= nowMs) this.muted.delete(cause);
    for (const [id, each] of this.all) {
      if (this.all.size <= this.max) break;
      if (!isFiring(each)) this.all.delete(id);
    }
    for (const [id, { firing }] of this.all) {
      if (this.all.size <= this.max) break;
      for (const cause of firing) this.lasting.delete(cause);
      this.all.delete(id);
    }
  }

  private recentOnes(): readonly Incident[] {
    return this.recent.flatMap((id) => this.all.get(id) ?? []);
  }

  /** The incident that something belongs to. */
  private match({ cause, places, apartFrom, group, timeMs }: Occurrence): Incident | undefined {
    const isWithin = (each: Incident, ms: number): boolean => isFiring(each) || timeMs - each.lastMs <= ms;
    // The newest first.
    const recent = [...this.recentOnes()].reverse();
    const grouped = group === undefined ? undefined : this.all.get(this.groups.get(group) ?? '');
    return (
      recent.find((each) => each.causes.includes(cause) && isWithin(each, this.quietMs)) ??
      recent.find(
        (each) =>
          each.kind !== apartFrom && each.places.some((place) => places.includes(place)) && isWithin(each, samePlaceMs),
      ) ??
      (grouped && Math.abs(timeMs - grouped.beganMs) <= togetherMs ? grouped : undefined)
    );
  }

  private open(what: Occurrence): IncidentChange {
    const { rule, node, cause, subject, timeMs, series, value, group } = what;
    this.lastId += 1;
    const mutedUntilMs = this.muted.get(cause);
    const opened: Incident = {
      // Unique also after a start without the file: the number alone would begin again.
      id: `${timeMs.toString(36)}-${this.lastId}`,
      ...{ rule: rule.name, kind: rule.kind, severity: rule.severity },
      ...{ node, nodes: [node], subjects: [subject], causes: [cause], firing: [cause], places: [...what.places] },
      ...{ beganMs: timeMs, lastMs: timeMs, count: 1, began: what.sentence([subject]), unwatched: [] },
      ...(series === undefined ? {} : { series }),
      ...(value === undefined ? {} : { worst: value }),
      ...(mutedUntilMs === undefined ? {} : { mutedUntilMs }),
    };
    this.all.set(opened.id, opened);
    this.recent.push(opened.id);
    this.lasting.set(cause, opened.id);
    if (group !== undefined) this.groups.set(group, opened.id);
    return { change: 'opened', by: [rule.name], incident: opened };
  }

  /** The incident with what belongs to it too. */
  private joined(known: Incident, what: Occurrence): Incident {
    const { rule, node, cause, subject, timeMs, value } = what;
    const isSame = rule.kind === known.kind;
    const subjects = isSame ? union(known.subjects, [subject]) : known.subjects;
    const added = what.sentence([subject]);
    const began = isSame ? what.sentence(subjects) : withAdded(known.began, added);
    const isUpper = !(rule.kind === 'level' && rule.above === undefined);
    const worst =
      value === undefined || !isSame ? known.worst : Math[isUpper ? 'max' : 'min'](known.worst ?? value, value);
    return {
      ...known,
      ...{ subjects, began, severity: worse(known.severity, rule.severity), lastMs: Math.max(known.lastMs, timeMs) },
      ...(worst === undefined ? {} : { worst }),
      nodes: union(known.nodes, [node]),
      causes: union(known.causes, [cause]),
      places: union(known.places, what.places),
    };
  }

  private set(incident: Incident, patch: IncidentPatch): IncidentChange {
    const fields = Object.entries({ ...incident, ...patch }).filter(([, value]) => value !== undefined);
    const next = Object.fromEntries(fields) as unknown as Incident;
    this.all.set(next.id, next);
    for (const cause of incident.firing) if (!next.firing.includes(cause)) this.lasting.delete(cause);
    for (const cause of next.firing) this.lasting.set(cause, next.id);
    if (!this.recent.includes(next.id) && isFiring(next)) this.recent.push(next.id);
    return { change: 'updated', incident: next };
  }
}

const union = (a: readonly string[], b: readonly string[]): string[] =>
  [...new Set([...a, ...b])].slice(0, maxSubjects);

const worse = (a: Severity, b: Severity): Severity => (severities.indexOf(a) >= severities.indexOf(b) ? a : b);

/** A sentence with another one about the same thing; each once. */
function withAdded(sentence: string, added: string): string {
  if (sentence.includes(added)) return sentence;
  const joined = `${sentence} ${added}`;
  // What happens again and again with new numbers is one sentence, not a text.
  return joined.length <= 400 ? joined : sentence;
}
