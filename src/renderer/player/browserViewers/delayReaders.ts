/** Viewers whose clock is read at a time: each has a worker of its own. The next one reads when one of them has ended. */
const maxReaders = 4;
/** Frames that all of them read in a second; a single one reads every frame of a usual stream. */
const framesPerSecond = 60;
/** Frames arrive with some jitter: of one on each tick none is to be missed. */
const slackMs = 4;

/** Bounds what reading the clocks in the pictures of browser viewers costs, however many there are. */
export class DelayReaders {
  #readers = 0;

  /** A place among those that read; undefined while there is none. */
  enter(): DelayPlace | undefined {
    if (this.#readers >= maxReaders) return undefined;
    this.#readers += 1;
    let lastMs = Number.NEGATIVE_INFINITY;
    let hasLeft = false;
    return {
      isDue: (nowMs) => {
        if (nowMs - lastMs < (1000 * this.#readers) / framesPerSecond - slackMs) return false;
        lastMs = nowMs;
        return true;
      },
      leave: () => {
        if (!hasLeft) this.#readers -= 1;
        hasLeft = true;
      },
    };
  }
}

/** The place of one viewer. */
export interface DelayPlace {
  /** Whether the frame presented at this time (ms, of any clock) is to be read. */
  readonly isDue: (nowMs: number) => boolean;
  readonly leave: () => void;
}
