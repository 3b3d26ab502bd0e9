import type { StillInterval } from '../../../domain/model/playerSaving';

/** When the next of the regular stills is due. */
export class RegularStills {
  #lastMs: number | undefined;

  /** Called once a second while it plays in a run; `undefined`: no regular stills. */
  isDue(nowMs: number, everySeconds: StillInterval | undefined): boolean {
    if (everySeconds === undefined) {
      this.#lastMs = undefined;
      return false;
    }
    this.#lastMs ??= nowMs;
    // Calls are some ms early or late; half of their distance keeps the interval.
    if (nowMs - this.#lastMs < everySeconds * 1000 - 500) return false;
    this.#lastMs = nowMs;
    return true;
  }
}

/** `30 s`, `5 min` */
export function intervalText(seconds: StillInterval): string {
  return seconds < 60 ? `${seconds} s` : `${seconds / 60} min`;
}
