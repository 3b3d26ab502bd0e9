import type { IncidentChange } from './incident';

/** An incident that has come back is announced as over once it has not begun again for this long. */
const quietMs = 600_000;

interface Announced {
  readonly isFiring: boolean;
  /** When its end is to be announced, if it stays over until then. */
  readonly endDueMs?: number;
}

/**
 * Which changes a person is told, so that the last announcement is always the state: each begin, also again and also of a
 * worse rule, unless the begin before is the last that was said; an end at once the first time, later when it rests.
 */
export class Announcements {
  private readonly said: Map<string, Announced>;

  /** `firing`: ids of those whose begin was announced before. */
  constructor(firing: readonly string[] = []) {
    this.said = new Map(firing.map((id) => [id, { isFiring: true }]));
  }

  /** `wants`: whether a rule, by its name, is to be announced. */
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

  /** Ids of the incidents whose end is to be announced now. */
  due(nowMs: number): readonly string[] {
    const due = [...this.said].flatMap(([id, { endDueMs = Infinity }]) => (endDueMs <= nowMs ? [id] : []));
    for (const id of due) this.said.set(id, { isFiring: false });
    return due;
  }
}
