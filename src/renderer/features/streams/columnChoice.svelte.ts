import { streamSortKeys, type StreamSortKey } from '../../../contract/nodeCalls';

/** Shown columns: the same for every node, until the window closes. */
class ColumnChoice {
  #hidden = $state.raw<readonly StreamSortKey[]>([]);

  readonly shown: readonly StreamSortKey[] = $derived(streamSortKeys.filter((key) => !this.#hidden.includes(key)));

  /** The name column is always shown. */
  toggle(column: StreamSortKey): void {
    if (column === 'stream') return;
    this.#hidden = this.#hidden.includes(column)
      ? this.#hidden.filter((key) => key !== column)
      : [...this.#hidden, column];
  }
}

export const columnChoice = new ColumnChoice();
