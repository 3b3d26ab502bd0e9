/** What arrived while the display was paused, to be shown when it resumes. */
export class HeldUpdates {
  readonly #latest = new Map<string, () => void>();
  #all: (() => void)[] = [];

  /** Holds an update of a state back; only the latest one is kept. */
  replace(state: string, show: () => void): void {
    this.#latest.set(state, show);
  }

  /** Entries of a list are all kept. */
  add(show: () => void): void {
    this.#all.push(show);
  }

  release(): void {
    const all = [...this.#latest.values(), ...this.#all];
    this.#latest.clear();
    this.#all = [];
    for (const show of all) show();
  }
}
