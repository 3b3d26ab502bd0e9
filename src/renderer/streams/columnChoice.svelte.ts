import { streamSortKeys, type StreamSortKey } from '../../contract/nodeCalls';

/** Which columns are shown: the same for every node, for as long as the window lives. */
class ColumnChoice {
  #hidden = $state.raw<readonly StreamSortKey[]>([]);

  readonly shown: readonly StreamSortKey[] = $derived(
    streamSortKeys.filter((key) => !this.#hidden.includes(key)),
  );

  /** The stream's name always stays. */
  toggle(column: StreamSortKey): void {
    if (column === 'stream') return;
    this.#hidden = this.#hidden.includes(column)
      ? this.#hidden.filter((key) => key !== column)
      : [...this.#hidden, column];
  }
}

export const columnChoice = new ColumnChoice();
