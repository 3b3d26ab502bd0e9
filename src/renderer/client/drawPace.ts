/** Seconds between two pictures of a chart in economy mode. */
export const economySeconds = 3;

/**
 * How much the window draws. Electron shows pages as visible even in a hidden or minimised window, since players go on
 * there; so the main process says when it is. Charts, figures and animations follow this, players do not.
 */
class DrawPace {
  #isWindowShown = true;
  /** A measurement has the machine: charts are drawn less often, and nothing is animated. */
  isEconomical = false;
  readonly #listeners = new Set<() => void>();

  get isHidden(): boolean {
    return !this.#isWindowShown || document.hidden;
  }

  showWindow(isShown: boolean): void {
    this.#isWindowShown = isShown;
    for (const listener of this.#listeners) listener();
  }

  /** Calls when the window may have become visible or hidden. Returns the function that ends it. */
  onVisibility(listener: () => void): () => void {
    this.#listeners.add(listener);
    document.addEventListener('visibilitychange', listener);
    return () => {
      this.#listeners.delete(listener);
      document.removeEventListener('visibilitychange', listener);
    };
  }

  /** Seconds between draws of something that is usually drawn that often. */
  secondsFor(usual: number): number {
    return this.isEconomical ? Math.max(usual, economySeconds) : usual;
  }
}

/** There is one window. */
export const drawPace = new DrawPace();
