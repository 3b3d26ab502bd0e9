/** Something that the clock redraws. */
export interface Drawable {
  /** False while it is out of sight: then it rests, and is drawn when it comes back. */
  readonly visible: boolean;
  /** Seconds between two drawings, as far as only time goes on: a pixel that is 16 s wide need not be drawn each second. */
  readonly everySeconds: number;
  /** Draws everything. */
  draw(): void;
  /** Brings the figures up to date, without drawing. */
  refresh(): void;
}

const tickMs = 1000;
/** Script time that drawing may take of one frame; the rest waits for the next one. */
const frameBudgetMs = 6;
/** A frame longer than this was too full: painting comes after the script and shows only here. */
const fullFrameMs = 25;
const mostPerFrame = 3;

/**
 * The one clock of all charts. Once a second, while anything changes, the cards are brought up to date, spread over as many
 * frames as it takes, so that no task becomes long. A hidden window draws nothing.
 */
export class ChartClock {
  readonly #drawables = new Set<Drawable>();
  readonly #due = new Set<Drawable>();
  readonly #timer: ReturnType<typeof setInterval>;
  #frame: number | undefined;
  #tickCount = 0;
  #perFrame = 1;
  #drewAt: number | undefined;
  readonly #onVisibility = (): void => this.#request();

  /** `onTick` runs once a second, before the cards are asked; it says whether anything changed. */
  constructor(private readonly onTick: () => boolean) {
    this.#timer = setInterval(() => this.#tick(), tickMs);
    document.addEventListener('visibilitychange', this.#onVisibility);
  }

  add(drawable: Drawable): () => void {
    this.#drawables.add(drawable);
    this.invalidate(drawable);
    return () => {
      this.#drawables.delete(drawable);
      this.#due.delete(drawable);
    };
  }

  /** Makes one card due, or all of them. */
  invalidate(drawable?: Drawable): void {
    if (drawable) this.#due.add(drawable);
    else for (const each of this.#drawables) this.#due.add(each);
    this.#request();
  }

  stop(): void {
    clearInterval(this.#timer);
    document.removeEventListener('visibilitychange', this.#onVisibility);
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  #tick(): void {
    if (document.hidden) {
      // Everything is due when the window comes back.
      for (const each of this.#drawables) this.#due.add(each);
      return;
    }
    if (!this.onTick()) return;
    this.#tickCount += 1;
    let place = 0;
    for (const each of this.#drawables) {
      // Cards drawn every few seconds take turns.
      if ((this.#tickCount + place) % Math.max(1, each.everySeconds) === 0) this.#due.add(each);
      else if (each.visible) each.refresh();
      place += 1;
    }
    this.#request();
  }

  #request(): void {
    if (this.#frame !== undefined || document.hidden || this.#due.size === 0) return;
    this.#frame = requestAnimationFrame((at) => {
      this.#frame = undefined;
      this.#drawDue(at);
    });
  }

  /** Draws as many cards as a frame takes: one more after a frame that had room, fewer after one that was too full. */
  #drawDue(at: number): void {
    if (this.#drewAt !== undefined)
      this.#perFrame =
        at - this.#drewAt > fullFrameMs
          ? Math.max(1, this.#perFrame >> 1)
          : Math.min(mostPerFrame, this.#perFrame + 1);
    const startedAt = performance.now();
    let drawn = 0;
    for (const drawable of this.#due) {
      if (!drawable.visible) continue;
      if (drawn >= this.#perFrame || performance.now() - startedAt > frameBudgetMs) break;
      this.#due.delete(drawable);
      drawable.draw();
      drawn += 1;
    }
    const isMoreDue = [...this.#due].some((each) => each.visible);
    this.#drewAt = isMoreDue ? at : undefined;
    if (isMoreDue) this.#request();
  }
}
