import { timeLowOf, type ClockReading } from '../../../domain/clock/clockRow';
import { mediaFileSource } from '../../../domain/clock/sources';
import type { PatternFrame } from './patternPicture';

/** No live path is slower: an older frame is a recording. */
export const maxDelayMs = 60_000;

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

/** Allocates a number below that of media files, unused in this window; random across windows. */
export function allocatePatternNumber(random: () => number = Math.random): number {
  const free = Array.from({ length: mediaFileSource }, (_, source) => source).filter(
    (source) => !localPatterns.has(source),
  );
  const source = free[Math.floor(random() * free.length)];
  if (source === undefined)
    throw new Error(`This window already draws ${mediaFileSource} test patterns; stop one first.`);
  localPatterns.set(source, new DrawnFrames());
  return source;
}
