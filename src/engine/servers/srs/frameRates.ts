import type { SrsStream } from './responses';

/**
 * SRS updates its frame counts every few seconds: over less time than this a rate would be off by more than a few
 * percent.
 */
const minWindowMs = 25_000;
const windowMs = 60_000;

interface Step {
  readonly atMs: number;
  readonly frames: number;
}

/** Frame rate of each stream from its frame count; unknown in the first half minute, and always for WebRTC. */
export class FrameRates {
  private readonly steps = new Map<string, Step[]>();

  /** Takes the streams of one response and forgets those that are gone. */
  take(streams: readonly SrsStream[]): void {
    for (const id of [...this.steps.keys()]) if (!streams.some((each) => each.id === id)) this.steps.delete(id);
    for (const { id, frames, live_ms: atMs } of streams) {
      if (!frames || atMs === undefined) continue;
      const steps = this.steps.get(id) ?? [];
      const last = steps[steps.length - 1];
      if (last && frames < last.frames) steps.length = 0;
      if (!last || frames !== last.frames) steps.push({ atMs, frames });
      while (steps.length > 1 && atMs - (steps[0]?.atMs ?? atMs) > windowMs) steps.shift();
      this.steps.set(id, steps);
    }
  }

  /** In frames per second, to a tenth. */
  of(id: string): number | undefined {
    const steps = this.steps.get(id) ?? [];
    const first = steps[0];
    const last = steps[steps.length - 1];
    if (!first || !last || last.atMs - first.atMs < minWindowMs) return undefined;
    return Math.round(((last.frames - first.frames) * 10_000) / (last.atMs - first.atMs)) / 10;
  }
}
