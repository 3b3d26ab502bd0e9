/** One call of an action about an incident. */
export interface QueuedCall {
  /** The key of its action. */
  readonly action: string;
  readonly incident: string;
  /** It says that the incident is over. */
  readonly isEnd: boolean;
}

const maxRunning = 4;
const maxRunningOfAction = 2;
/** Of one action. */
export const maxWaiting = 200;

/**
 * Calls that wait for their turn. A receiver that does not answer holds no other up: few calls of one action run at a
 * time, and only its own are dropped when too many wait.
 */
export class CallQueue<Call extends QueuedCall> {
  private waiting: readonly Call[] = [];
  private readonly running = new Map<Call, Promise<void>>();
  /** Actions of which calls were dropped since they waited for nothing. */
  private readonly full = new Set<string>();

  /** `perform` never rejects. `dropped`: one that is not made; `isFirst` of those of its action in a row. */
  constructor(
    private readonly perform: (call: Call) => Promise<void>,
    private readonly dropped: (call: Call, isFirst: boolean) => void,
  ) {}

  add(call: Call): void {
    this.waiting = [...this.waiting, call];
    this.limit(call.action);
    this.next();
  }

  /** Makes no more calls; returns those that waited. */
  close(): readonly Call[] {
    const left = this.waiting;
    this.waiting = [];
    return left;
  }

  /** Resolves when none of those that run now does. */
  async whenDone(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private limit(action: string): void {
    const own = this.waiting.filter((each) => each.action === action);
    if (own.length <= maxWaiting) return;
    // The last end of an incident is its state, without which it would stay open for the receiver.
    const ends = new Map(own.filter(({ isEnd }) => isEnd).map((each) => [each.incident, each]));
    const oldest = own.find((each) => ends.get(each.incident) !== each);
    if (!oldest) return;
    this.waiting = this.waiting.filter((each) => each !== oldest);
    const isFirst = !this.full.has(action);
    this.full.add(action);
    this.dropped(oldest, isFirst);
  }

  private next(): void {
    while (this.running.size < maxRunning) {
      const call = this.nextCall();
      if (!call) return;
      this.waiting = this.waiting.filter((each) => each !== call);
      if (!this.waiting.some(({ action }) => action === call.action)) this.full.delete(call.action);
      const done = this.perform(call).finally(() => {
        this.running.delete(call);
        this.next();
      });
      this.running.set(call, done);
    }
  }

  /** The oldest one of the action of which the fewest run. */
  private nextCall(): Call | undefined {
    const runs = [...this.running.keys()];
    let next: { readonly call: Call; readonly running: number } | undefined;
    const seen = new Set<string>();
    for (const call of this.waiting) {
      if (seen.has(call.action)) continue;
      const own = runs.filter(({ action }) => action === call.action);
      // A begin arrives before its end.
      if (own.some(({ incident }) => incident === call.incident)) continue;
      seen.add(call.action);
      if (own.length < maxRunningOfAction && own.length < (next?.running ?? Infinity))
        next = { call, running: own.length };
    }
    return next?.call;
  }
}
