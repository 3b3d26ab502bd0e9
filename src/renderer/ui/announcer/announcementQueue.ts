/**
 * `result`: of an action or of the run, at once. `event`: of the run, each one. `crosshair`: the latest position only.
 */
export type AnnouncementKind = 'result' | 'event' | 'crosshair';

/** Min time between two announcements, ms: a screen reader needs to finish a sentence. */
const quietMs = 5000;
/** Events in one announcement; the others are counted. */
const maxEvents = 3;

/** What a screen reader announces and when: at most once in 5 s, except results. Times by any monotonic clock. */
export class AnnouncementQueue {
  #results: string[] = [];
  #events: string[] = [];
  #crosshair: string | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;

  add(kind: AnnouncementKind, text: string): void {
    if (kind === 'crosshair') this.#crosshair = text;
    else (kind === 'result' ? this.#results : this.#events).push(text);
  }

  /** ms until the next announcement; undefined if nothing waits. */
  waitMs(nowMs: number): number | undefined {
    if (this.#results.length > 0) return 0;
    if (this.#events.length === 0 && this.#crosshair === undefined) return undefined;
    return Math.max(0, this.#lastMs + quietMs - nowMs);
  }

  /** All that waits, as one text; undefined if it is not due yet. */
  take(nowMs: number): string | undefined {
    if (this.waitMs(nowMs) !== 0) return undefined;
    const more = this.#events.length - maxEvents;
    const parts = [
      ...this.#results,
      ...this.#events.slice(0, maxEvents),
      ...(more > 0 ? [`${more} more ${more === 1 ? 'event' : 'events'}.`] : []),
      ...(this.#crosshair === undefined ? [] : [this.#crosshair]),
    ];
    this.#results = [];
    this.#events = [];
    this.#crosshair = undefined;
    this.#lastMs = nowMs;
    return parts.join(' ');
  }
}
