/** How much longer than the usual second a round waits for members that have not reported. */
export const lateMs = 400;
const secondMs = 1000;

/** A report that waits for its round. */
interface Waiting<Report> {
  readonly timeMs: number;
  readonly report: Report;
}

export interface Round<Report> {
  readonly timeMs: number;
  /** By member, in order of time; empty for a late member. */
  readonly reports: ReadonlyMap<number, readonly Report[]>;
}

interface Member<Report> {
  waiting: Array<Waiting<Report>>;
  /** It missed a round: the next ones do not wait for it until it reports again. */
  isLate: boolean;
}

/**
 * Groups the reports of several members, each once a second at its own time, into rounds of a second. A round is due
 * when every member has reported, or shortly after a second without some of them. Each report is in exactly one round:
 * those of a link that was lost are in the rounds of their seconds if all were lost, else in the next one.
 */
export class Rounds<Report> {
  private readonly members = new Map<number, Member<Report>>();
  private lastRoundMs: number | undefined;
  private lastTimeMs = 0;
  private cancel: (() => void) | undefined;

  constructor(
    private readonly clock: {
      readonly now: () => number;
      readonly after: (ms: number, run: () => void) => () => void;
    },
    private readonly due: (round: Round<Report>) => void,
  ) {}

  /** Rounds do not wait for its first report: until then its viewers are known to be starting. */
  join(member: number): void {
    this.members.set(member, { waiting: [], isLate: true });
  }

  /** Its reports so far are still merged: what it reported before its end has happened. */
  leave(member: number): readonly Report[] {
    const waitingReports = this.members.get(member)?.waiting.map(({ report }) => report) ?? [];
    this.members.delete(member);
    this.advance();
    return waitingReports;
  }

  /** Rounds do not wait for a member whose link is lost. */
  silent(member: number): void {
    const known = this.members.get(member);
    if (!known) return;
    known.isLate = true;
    this.advance();
  }

  take(member: number, timeMs: number, report: Report): void {
    const known = this.members.get(member);
    if (!known) return;
    known.waiting.push({ timeMs, report });
    known.isLate = false;
    this.advance();
  }

  close(): void {
    this.cancel?.();
    this.members.clear();
  }

  private advance(): void {
    for (;;) {
      const all = [...this.members.values()];
      if (!all.some(({ waiting }) => waiting.length > 0)) return;
      if (!all.every(({ waiting, isLate }) => waiting.length > 0 || isLate)) break;
      this.emit();
    }
    if (this.cancel) return;
    const nowMs = this.clock.now();
    const dueMs = (this.lastRoundMs ?? nowMs) + secondMs + lateMs;
    this.cancel = this.clock.after(Math.max(1, dueMs - nowMs), () => {
      this.emit();
      this.advance();
    });
  }

  /** Takes the oldest report of each member, and what others reported by the time of the latest of these. */
  private emit(): void {
    this.cancel?.();
    this.cancel = undefined;
    const oldest = [...this.members.values()].flatMap(({ waiting: [first] }) => (first ? [first.timeMs] : []));
    if (oldest.length === 0) return;
    const untilMs = Math.max(...oldest);
    const reports = new Map<number, readonly Report[]>();
    for (const [index, member] of this.members) {
      member.isLate = member.waiting.length === 0;
      const later = member.waiting.findIndex(({ timeMs }) => timeMs > untilMs);
      const taken = member.waiting.splice(0, later < 0 ? member.waiting.length : later);
      reports.set(
        index,
        taken.map(({ report }) => report),
      );
    }
    this.lastRoundMs = this.clock.now();
    this.lastTimeMs = Math.max(untilMs, this.lastTimeMs + 1);
    this.due({ timeMs: this.lastTimeMs, reports });
  }
}
