import type { Incident, IncidentChange } from './incident';

/** An incident that has come back is announced as over once it has not begun again for this long. */
const quietMs = 600_000;

interface Announced {
  readonly isFiring: boolean;
  /** Names of the rules by which it was announced, the first one first. */
  readonly rules: readonly string[];
  /** When its end is to be announced, if it stays over until then. */
  readonly endDueMs?: number;
}

/** Whether its end may still have to be announced: it came and went, and was over only shortly before this time. */
export const isEndPending = ({ count, endedMs, ended }: Incident, timeMs: number): boolean =>
  // What has no length has no sentence of its end.
  count >= 2 && endedMs !== undefined && ended !== undefined && endedMs + quietMs > timeMs;

/**
 * Which changes a person is told, so that the last announcement is always the state: each begin, also again and also of a
 * worse rule, unless the begin before is the last that was said; an end at once the first time, later when it rests.
 */
export class Announcements {
  private readonly said: Map<string, Announced>;

  /** `said`: those whose begin was announced before, and whose end was not. */
  constructor(said: readonly Incident[] = []) {
    this.said = new Map(
      said.map(({ id, rule, endedMs }) => [
        id,
        { isFiring: true, rules: [rule], ...(endedMs === undefined ? {} : { endDueMs: endedMs + quietMs }) },
      ]),
    );
  }

  /** Whether an end is still to be announced. */
  get isOwed(): boolean {
    return [...this.said.values()].some(({ isFiring }) => isFiring);
  }

  /**
   * The rule, by its name, by which a change is to be announced; undefined if it is not. `wants`: whether a begin by a rule
   * is; one that is not was not said.
   */
  takes(
    { change, by = [], incident }: IncidentChange,
    wants: (rule: string) => boolean,
    nowMs: number,
  ): string | undefined {
    const { id, count, endedMs } = incident;
    const before = this.said.get(id);
    const { rules = [] } = before ?? {};
    if (change === 'resolved' && before?.isFiring) {
      const isOver = count < 2;
      this.said.set(id, { rules, ...(isOver ? { isFiring: false } : { isFiring: true, endDueMs: nowMs + quietMs }) });
      if (isOver) return rules[0];
    }
    // It lasts again: its end is not to be announced.
    else if (by.length > 0 && before?.isFiring && endedMs === undefined) this.said.set(id, { isFiring: true, rules });
    const rule = by.find(wants);
    if (rule === undefined || before?.isFiring) return undefined;
    // Without a length it is over at once. What joins a line that is over, e.g. the restart behind an outage, is said once.
    if (endedMs !== undefined && change !== 'opened' && rules.includes(rule)) return undefined;
    this.said.set(id, { isFiring: endedMs === undefined, rules: [...new Set([rule, ...rules])] });
    return rule;
  }

  /** The incidents whose end is to be announced now, with the rule. Forgets those that `find` no longer knows. */
  due(
    find: (id: string) => Incident | undefined,
    nowMs: number,
  ): ReadonlyArray<{ readonly incident: Incident; readonly rule: string }> {
    const due: Array<{ readonly incident: Incident; readonly rule: string }> = [];
    for (const [id, { endDueMs = Infinity, rules }] of this.said) {
      const incident = find(id);
      if (!incident) this.said.delete(id);
      else if (endDueMs <= nowMs) {
        this.said.set(id, { isFiring: false, rules });
        due.push({ incident, rule: rules[0] ?? incident.rule });
      }
    }
    return due;
  }
}
