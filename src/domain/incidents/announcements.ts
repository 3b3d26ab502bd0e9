import type { Incident, IncidentChange } from './incident';

/** An incident that has come back is announced as over once it has not begun again for this long. */
const quietMs = 600_000;

interface Announced {
  readonly isFiring: boolean;
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
      said.map(({ id, endedMs }) => [
        id,
        { isFiring: true, ...(endedMs === undefined ? {} : { endDueMs: endedMs + quietMs }) },
      ]),
    );
  }

  /** Whether an end is still to be announced. */
  get isOwed(): boolean {
    return [...this.said.values()].some(({ isFiring }) => isFiring);
  }

  /** `wants`: whether a begin by a rule, by its name, is to be announced; one that is not was not said. */
  takes({ change, by, incident }: IncidentChange, wants: (rule: string) => boolean, nowMs: number): boolean {
    const { id, count, endedMs } = incident;
    const before = this.said.get(id);
    if (change === 'resolved') {
      if (!before?.isFiring) return false;
      if (count < 2) {
        this.said.set(id, { isFiring: false });
        return true;
      }
      this.said.set(id, { isFiring: true, endDueMs: nowMs + quietMs });
      return false;
    }
    if (by === undefined) return false;
    // It lasts again: its end is not to be announced.
    if (before?.isFiring && endedMs === undefined) this.said.set(id, { isFiring: true });
    if (!wants(by) || before?.isFiring) return false;
    // Without a length it is over at once.
    if (endedMs !== undefined && change !== 'opened') return false;
    this.said.set(id, { isFiring: endedMs === undefined });
    return true;
  }

  /** The incidents whose end is to be announced now. Forgets those that `find` no longer knows. */
  due(find: (id: string) => Incident | undefined, nowMs: number): readonly Incident[] {
    const due: Incident[] = [];
    for (const [id, { endDueMs = Infinity }] of this.said) {
      const incident = find(id);
      if (!incident) this.said.delete(id);
      else if (endDueMs <= nowMs) {
        this.said.set(id, { isFiring: false });
        due.push(incident);
      }
    }
    return due;
  }
}
