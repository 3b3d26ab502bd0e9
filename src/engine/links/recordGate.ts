/**
 * Passes each numbered record of an agent once and in order, over any number of reconnects.
 * A restarted agent (another instance) counts from 1 again.
 */
export class RecordGate {
  private instance: string | undefined;
  private last = 0;

  /** `ranBefore`: the agent has records from before this console; they are skipped. */
  constructor(private readonly ranBefore = false) {}

  /** What to request on connecting: everything after this sequence; undefined: only what is recorded from then on. */
  get resumeAfter(): number | undefined {
    return this.ranBefore && this.instance === undefined ? undefined : this.last;
  }

  /**
   * Takes the `hello` of a connection. `restart`: another instance responded, so send `hello` again with `resumeAfter`
   * 0.
   * `lost`: how many records the agent has dropped meanwhile.
   */
  greet(
    instance: string,
    oldestSequence: number,
    latestSequence: number,
  ): { readonly restart: boolean; readonly lost: number } {
    if (this.ranBefore && this.instance === undefined) {
      this.instance = instance;
      this.last = latestSequence;
      return { restart: false, lost: 0 };
    }
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

  /** Whether a record is new; `missing` counts skipped sequence numbers, which an agent never produces. */
  admit(sequence: number): { readonly isNew: boolean; readonly missing: number } {
    if (sequence <= this.last) return { isNew: false, missing: 0 };
    const missing = sequence - this.last - 1;
    this.last = sequence;
    return { isNew: true, missing };
  }
}
