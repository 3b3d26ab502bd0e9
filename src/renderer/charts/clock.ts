/** Something that the clock redraws. */
export interface Drawable {
  /** False while it is out of sight: then it rests, and is drawn when it comes back. */
  readonly visible: boolean;
  draw(): void;
}

/** Time that redrawing may take of one frame; the rest waits for the next one. */
const frameBudgetMs = 6;
const tickMs = 1000;

/**
 * The one clock of all charts. Once a second, when something new has come, every card is due; what is due is drawn over as
 * many frames as it takes, so that no task becomes long. A hidden window draws nothing.
 */
export class ChartClock {
  readonly #drawables = new Set<Drawable>();
  readonly #due = new Set<Drawable>();
  #frame: number | undefined;
  readonly #timer: ReturnType<typeof setInterval>;
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
    if (this.onTick()) this.invalidate();
  }

  #request(): void {
    if (this.#frame !== undefined || document.hidden || this.#due.size === 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = undefined;
      this.#drawDue();
    });
  }

  #drawDue(): void {
    const startedAt = performance.now();
    for (const drawable of this.#due) {
      if (!drawable.visible) continue;
      this.#due.delete(drawable);
      drawable.draw();
      if (performance.now() - startedAt > frameBudgetMs) break;
    }
    if ([...this.#due].some((each) => each.visible)) this.#request();
  }
}
