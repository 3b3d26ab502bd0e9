import type { ClockView } from '../../domain/model/node';

const maxMeasurements = 30;

interface Measurement {
  readonly offsetMs: number;
  readonly uncertaintyMs: number;
}

/**
 * Offset of another clock to ours from requests and responses: of the latest 30 the one with the shortest round trip
 * counts, as in NTP, since any other delay can only have made it longer.
 */
export class BestOffset {
  private measurements: Measurement[] = [];

  /** One request by our clock, and the remote time in its response, with `resolutionMs`. */
  add(sentMs: number, answeredMs: number, theirsMs: number, resolutionMs = 1): void {
    const measured = {
      offsetMs: theirsMs - (sentMs + answeredMs) / 2,
      uncertaintyMs: (answeredMs - sentMs) / 2 + resolutionMs / 2,
    };
    const best = this.best;
    // Two measurements contradict each other: one of the clocks was set.
    if (best && Math.abs(best.offsetMs - measured.offsetMs) > best.uncertaintyMs + measured.uncertaintyMs)
      this.measurements = [];
    this.measurements.push(measured);
    if (this.measurements.length > maxMeasurements) this.measurements.shift();
  }

  /** Undefined before the first measurement. */
  get view(): ClockView | undefined {
    return this.best;
  }

  /** The other clock's time in ours, whole ms; unchanged before the first measurement. */
  toLocal(theirsMs: number): number {
    return Math.round(theirsMs - (this.best?.offsetMs ?? 0));
  }

  private get best(): Measurement | undefined {
    let best: Measurement | undefined;
    for (const one of this.measurements) if (!best || one.uncertaintyMs <= best.uncertaintyMs) best = one;
    return best;
  }
}
