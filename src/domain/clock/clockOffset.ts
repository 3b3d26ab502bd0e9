/** One request for the time of another clock. Times in ms, with fractions. */
export interface ClockExchange {
  /** By the own clock. */
  readonly sentMs: number;
  readonly receivedMs: number;
  /** What the other clock showed in between. */
  readonly otherMs: number;
}

export interface ClockEstimate {
  /** The other clock's time is the own one plus this, ms. */
  readonly offsetMs: number;
  /** The true offset is within ± this, ms. */
  readonly uncertaintyMs: number;
  /** Round trip of the exchange that the estimate is from, ms. */
  readonly roundTripMs: number;
}

/** How far apart two clocks may drift: each of the two by 50 ppm. */
const maxDriftPpm = 100;
/** An exchange that is older than this adds more by drift than any new one by its round trip. */
const keptMs = 120_000;

/**
 * Offset between two clocks by Cristian's algorithm: the other clock was read at some time of the round trip, so half
 * of it is the uncertainty, and the best exchange has the shortest one. Drift since then is added.
 */
export class ClockOffset {
  #exchanges: readonly ClockExchange[] = [];

  /** `roundingMs`: both clocks show their times to ± this together. */
  constructor(private readonly roundingMs: number) {}

  note(exchange: ClockExchange): void {
    // A clock that was set back would have an answer before the question.
    if (exchange.receivedMs < exchange.sentMs) return;
    const known = this.#exchanges.filter(
      (earlier) => exchange.receivedMs - earlier.receivedMs < keptMs && this.#agree(earlier, exchange),
    );
    this.#exchanges = [...known, exchange];
  }

  /** Whether one offset explains both; otherwise one of the clocks was set, or stopped, in between. */
  #agree(earlier: ClockExchange, later: ClockExchange): boolean {
    const driftMs = (Math.abs(later.receivedMs - earlier.sentMs) * maxDriftPpm) / 1e6;
    const slackMs = 2 * this.roundingMs + driftMs;
    return (
      later.otherMs - later.receivedMs <= earlier.otherMs - earlier.sentMs + slackMs &&
      earlier.otherMs - earlier.receivedMs <= later.otherMs - later.sentMs + slackMs
    );
  }

  /** Forgets all of it, e.g. when this machine was suspended. */
  clear(): void {
    this.#exchanges = [];
  }

  /** The best estimate at a time of the own clock; undefined before the first exchange. */
  at(nowMs: number): ClockEstimate | undefined {
    let best: ClockEstimate | undefined;
    for (const { sentMs, receivedMs, otherMs } of this.#exchanges) {
      const roundTripMs = receivedMs - sentMs;
      const middleMs = (sentMs + receivedMs) / 2;
      const driftMs = (Math.abs(nowMs - middleMs) * maxDriftPpm) / 1e6;
      const uncertaintyMs = roundTripMs / 2 + this.roundingMs + driftMs;
      if (!best || uncertaintyMs < best.uncertaintyMs)
        best = { offsetMs: otherMs - middleMs, uncertaintyMs, roundTripMs };
    }
    return best;
  }
}
