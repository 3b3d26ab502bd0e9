/** Passes on what is added; until there is a listener, it waits here. */
export class Waiting<T> {
  #listener: ((item: T) => void) | undefined;
  readonly #items: T[];

  constructor(items: readonly T[] = []) {
    this.#items = [...items];
  }

  add(item: T): void {
    if (this.#listener) this.#listener(item);
    else this.#items.push(item);
  }

  /** Replaces the listener; the first one receives what has waited. */
  listen(listener: (item: T) => void): void {
    this.#listener = listener;
    this.#items.splice(0).forEach(listener);
  }
}
