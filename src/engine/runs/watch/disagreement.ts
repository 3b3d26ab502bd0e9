/** Range of the audience's viewer count around a time. */
export interface AudienceCount {
  readonly timeMs: number;
  /** Connected. */
  readonly connected: number;
  /** Connected or connecting. */
  readonly arrived: number;
}

export interface Disagreement {
  readonly state: 'disagree' | 'agree';
  readonly origin: number;
  /** The audience's count closest to the origin's. */
  readonly audience: number;
}

const disagreementBounds = { percent: 5, viewers: 5, forMs: 5000, windowMs: 2000 } as const;

/**
 * Compares the origin's count of viewers with the audience's. Both are taken at different times of a second, and a
 * connecting viewer is counted here but not yet there: so any count that the audience had within `windowMs` is valid
 * for the origin.
 */
export class DisagreementWatch {
  private readonly counts: AudienceCount[] = [];
  private disagreeing = false;
  private since: number | undefined;
  private waiting: { readonly timeMs: number; readonly viewers: number } | undefined;

  audience(count: AudienceCount): void {
    this.counts.push(count);
    while (this.counts.length > 60) this.counts.shift();
  }

  /**
   * Takes the origin's count; reports when the two start to disagree permanently, or agree again. The previous count is
   * judged: only now have the testers reported what followed it.
   */
  origin(timeMs: number, viewers: number): Disagreement | undefined {
    const before = this.waiting;
    this.waiting = { timeMs, viewers };
    return before && this.judge(before.timeMs, before.viewers);
  }

  private judge(timeMs: number, viewers: number): Disagreement | undefined {
    const near = this.counts.filter((count) => Math.abs(count.timeMs - timeMs) <= disagreementBounds.windowMs);
    if (near.length === 0) return undefined;
    const least = Math.min(...near.map((count) => count.connected));
    const most = Math.max(...near.map((count) => count.arrived));
    const audience = Math.min(Math.max(viewers, least), most);
    const apart = Math.abs(viewers - audience);
    const beyond =
      apart > disagreementBounds.viewers && (100 * apart) / Math.max(viewers, audience) > disagreementBounds.percent;
    if (beyond === this.disagreeing) {
      this.since = undefined;
      return undefined;
    }
    this.since ??= timeMs;
    if (beyond && timeMs - this.since < disagreementBounds.forMs) return undefined;
    this.disagreeing = beyond;
    this.since = undefined;
    return { state: beyond ? 'disagree' : 'agree', origin: viewers, audience };
  }
}
