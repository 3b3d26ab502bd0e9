import type { ClockView } from '../../domain/node';

const keptMeasurements = 30;

interface Measurement {
  readonly offsetMs: number;
  readonly uncertaintyMs: number;
}

/**
 * Another clock against ours from questions and answers: of the latest 30 the one with the shortest round trip counts, as in
 * NTP, because whatever else delayed an answer can only have made it longer.
 */
export class BestOffset {
  private kept: Measurement[] = [];

  /** One question by our clock, and their time in the answer, known to `resolutionMs`. */
  add(sentMs: number, answeredMs: number, theirsMs: number, resolutionMs = 1): void {
    const measured = {
      offsetMs: theirsMs - (sentMs + answeredMs) / 2,
      uncertaintyMs: (answeredMs - sentMs) / 2 + resolutionMs / 2,
    };
    const best = this.best;
    // Two measurements that can't both be true: one of the clocks was set.
    if (best && Math.abs(best.offsetMs - measured.offsetMs) > best.uncertaintyMs + measured.uncertaintyMs)
      this.kept = [];
    this.kept.push(measured);
    if (this.kept.length > keptMeasurements) this.kept.shift();
  }

  /** Undefined until something was measured. */
  get view(): ClockView | undefined {
    return this.best;
  }

  /** Another clock's time in ours, whole ms; theirs as it is until something was measured. */
  toOurs(theirsMs: number): number {
    return Math.round(theirsMs - (this.best?.offsetMs ?? 0));
  }

  private get best(): Measurement | undefined {
    let best: Measurement | undefined;
    for (const one of this.kept) if (!best || one.uncertaintyMs <= best.uncertaintyMs) best = one;
    return best;
  }
}
