import { timeLowOf, type ClockReading } from '../../../domain/clock/clockRow';
import { maxDelayMs } from '../../../domain/viewer/delay';
import { firstPageSource } from '../../../domain/clock/sources';
import type { PatternFrame } from './patternPicture';

/** The frames that a test pattern has drawn within the longest delay, by the time in their clock row. */
export class DrawnFrames {
  readonly #frames = new Map<number, PatternFrame>();

  /** Adds the frame that was drawn last. */
  add(frame: PatternFrame): void {
    this.#frames.set(timeLowOf(frame.timeMs), frame);
    for (const [timeLow, { timeMs }] of this.#frames) {
      if (frame.timeMs - timeMs <= maxDelayMs) return;
      this.#frames.delete(timeLow);
    }
  }

  at(timeLow: number): PatternFrame | undefined {
    return this.#frames.get(timeLow);
  }
}

/** Active test patterns of this window, by the number in their clock row: only those share the player's clock. */
export const localPatterns = new Map<number, DrawnFrames>();

/** The frame that a clock row belongs to; undefined if no active pattern of this window has drawn it. */
export function drawnFrame({ source, timeLow }: ClockReading): PatternFrame | undefined {
  return localPatterns.get(source)?.at(timeLow);
}

/** Allocates a number below those of clock pages, unused in this window; random across windows. */
export function allocatePatternNumber(random: () => number = Math.random): number {
  const free = Array.from({ length: firstPageSource }, (_, source) => source).filter(
    (source) => !localPatterns.has(source),
  );
  const source = free[Math.floor(random() * free.length)];
  if (source === undefined)
    throw new Error(`This window already draws ${firstPageSource} test patterns; stop one first.`);
  localPatterns.set(source, new DrawnFrames());
  return source;
}
