/**
 * Lets each numbered record of an agent through once and in order, over any number of reconnects.
 * An agent that was restarted (another instance) counts from 1 again.
 */
export class RecordGate {
  private instance: string | undefined;
  private last = 0;

  /** What to ask for when connecting: everything after this sequence. */
  get resumeAfter(): number {
    return this.last;
  }

  /**
   * Takes the greeting of a connection. `restart`: another instance answers, so ask again with `resumeAfter` 0.
   * `lost`: how many records the agent has dropped in the meantime.
   */
  greet(instance: string, oldestSequence: number): { readonly restart: boolean; readonly lost: number } {
    if (this.instance !== undefined && this.instance !== instance) {
      this.instance = instance;
      this.last = 0;
      return { restart: true, lost: 0 };
    }
    this.instance = instance;
    const lost = Math.max(0, oldestSequence - 1 - this.last);
    this.last += lost;
    return { restart: false, lost };
  }

  /** Whether a record is news; `missing` counts the numbers that were jumped over, which an agent never does. */
  admit(sequence: number): { readonly news: boolean; readonly missing: number } {
    if (sequence <= this.last) return { news: false, missing: 0 };
    const missing = sequence - this.last - 1;
    this.last = sequence;
    return { news: true, missing };
  }
}
