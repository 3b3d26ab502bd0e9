import { drawPace } from '../client/drawPace';

/** A card redrawn by the clock. */
export interface Drawable {
  /** False while out of view: drawn when visible again. */
  readonly visible: boolean;
  /** Seconds between draws while only time advances: a pixel of 16 s need not be drawn each second. */
  readonly everySeconds: number;
  /** Draws everything. */
  draw(): void;
  /** Updates the figures without drawing. */
  refresh(): void;
}

const tickMs = 1000;
/** Script time that drawing may take of one frame; the rest waits for the next one. */
const frameBudgetMs = 6;
/** A longer frame was overloaded: painting follows the script and is visible only here. */
const fullFrameMs = 25;
const maxPerFrame = 3;

/**
 * The shared clock of all charts. Once a second, while anything changes, the cards are updated, spread over as many
 * frames as needed to avoid long tasks. A hidden window draws nothing.
 */
export class ChartClock {
  readonly #drawables = new Set<Drawable>();
  readonly #due = new Set<Drawable>();
  readonly #timer: ReturnType<typeof setInterval>;
  #frame: number | undefined;
  #tickCount = 0;
  #perFrame = 1;
  #drewAt: number | undefined;
  readonly #stopFollowing: () => void;

  /** `onTick` runs once a second, before the cards are drawn; it returns whether anything changed. */
  constructor(private readonly onTick: () => boolean) {
    this.#timer = setInterval(() => this.#tick(), tickMs);
    this.#stopFollowing = drawPace.onVisibility(() => this.#request());
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
    else for (const drawable of this.#drawables) this.#due.add(drawable);
    this.#request();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#stopFollowing();
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
  }

  #tick(): void {
    if (drawPace.isHidden) {
      // Everything is due when the window is shown again.
      for (const drawable of this.#drawables) this.#due.add(drawable);
      return;
    }
    if (!this.onTick()) return;
    this.#tickCount += 1;
    let place = 0;
    for (const drawable of this.#drawables) {
      // Cards drawn every few seconds take turns.
      if ((this.#tickCount + place) % drawPace.secondsFor(Math.max(1, drawable.everySeconds)) === 0)
        this.#due.add(drawable);
      else if (drawable.visible) drawable.refresh();
      place += 1;
    }
    this.#request();
  }

  #request(): void {
    if (this.#frame !== undefined || drawPace.isHidden || this.#due.size === 0) return;
    this.#frame = requestAnimationFrame((at) => {
      this.#frame = undefined;
      this.#drawDue(at);
    });
  }

  /** Draws as many cards as fit in a frame: one more after a frame with headroom, fewer after an overloaded one. */
  #drawDue(at: number): void {
    if (this.#drewAt !== undefined)
      this.#perFrame =
        at - this.#drewAt > fullFrameMs ? Math.max(1, this.#perFrame >> 1) : Math.min(maxPerFrame, this.#perFrame + 1);
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
