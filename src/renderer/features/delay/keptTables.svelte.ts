import { compareDelays, type DelayComparison } from '../../../domain/delay/compareTables';
import { summaryOf, type DelaySummaryOfPath } from '../../../domain/delay/spread';
import type { DelayTable } from '../../../domain/delay/table';
import { isWebRtc } from '../../../domain/model/playerProtocols';
import { errorText } from '../../../domain/text/errorText';
import type { WindowClient } from '../../client/connection';

/** A text file that was opened. */
export interface OpenedFile {
  readonly name: string;
  readonly text: string;
}

/** The saved delay tables, and those of them that are shown: one, or two that are compared. */
export class KeptTables {
  /** The newest first. */
  all = $state.raw<readonly DelayTable[]>([]);
  /** Why tables, or what was done with one, failed. */
  problem = $state<string>();
  isLoaded = $state(false);
  /** The table that was removed last, until it is restored. */
  removed = $state.raw<DelayTable>();
  /** Ids in the order of selection. */
  #selected = $state.raw<readonly string[]>([]);
  #isSwapped = $state(false);
  /** A second one would save the table twice. */
  #isRestoring = false;

  constructor(private readonly engine: WindowClient) {
    void this.load();
  }

  /** The shown tables; of two, the earlier one is first. */
  readonly selected: readonly DelayTable[] = $derived(
    this.all.filter(({ id }) => this.#selected.includes(id)).sort((a, b) => a.startedMs - b.startedMs),
  );

  readonly comparison: DelayComparison | undefined = $derived.by(() => {
    const [first, second] = this.#isSwapped ? [...this.selected].reverse() : this.selected;
    return first && second ? compareDelays(first, second) : undefined;
  });

  isSelected(id: string): boolean {
    return this.selected.some((table) => table.id === id);
  }

  /** Shows one table. */
  open(id: string): void {
    this.#isSwapped = false;
    this.#selected = [id];
  }

  /** Adds a table to those shown, or removes it; a third one replaces the first of two. */
  toggle(id: string): void {
    this.#isSwapped = false;
    const others = this.#selected.filter((each) => each !== id && this.isSelected(each));
    this.#selected = this.isSelected(id) ? others : [...others.slice(-1), id];
  }

  /** What is before becomes after. */
  swap(): void {
    this.#isSwapped = !this.#isSwapped;
  }

  /** `shown`: the table to show, else the newest if none is shown. */
  async load(shown?: string): Promise<void> {
    await this.#try(async () => {
      const { tables, problems } = await this.engine.call('delays.list', {});
      this.all = tables;
      this.problem = problems.length > 0 ? problems.join(' ') : undefined;
      const [newest] = tables;
      if (shown !== undefined) this.open(shown);
      else if (this.selected.length === 0 && newest) this.open(newest.id);
      this.isLoaded = true;
    });
  }

  /** Keeps the table of a file, and shows it. */
  async import({ name, text }: OpenedFile): Promise<void> {
    await this.#try(async () => {
      const { table } = await this.engine.call('delays.import', { name, text });
      await this.load(table.id);
    });
  }

  async remove(table: DelayTable): Promise<void> {
    await this.#try(async () => {
      await this.engine.call('delays.remove', { table: table.id });
      this.removed = table;
      await this.load();
    });
  }

  /** Saves the removed table again. If that fails it can be tried again. */
  async restore(): Promise<void> {
    const { removed } = this;
    if (!removed || this.#isRestoring) return;
    this.#isRestoring = true;
    try {
      const { table } = await this.engine.call('delays.import', { name: removed.name, text: JSON.stringify(removed) });
      if (this.removed === removed) this.removed = undefined;
      await this.load(table.id);
    } catch (error) {
      this.problem = `${removed.name} was not restored: ${errorText(error)}`;
    } finally {
      this.#isRestoring = false;
    }
  }

  async #try(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.problem = errorText(error);
    }
  }
}

/** What stands for a table in a list: its first path over WebRTC that was measured, else the first through the server. */
export function mainPathOf({ rows }: DelayTable): { title: string; summary: DelaySummaryOfPath } | undefined {
  const measured = rows.flatMap((row) => {
    const summary = summaryOf(row);
    return summary && row.path.play !== undefined ? [{ path: row.path, summary }] : [];
  });
  const found = measured.find(({ path: { play } }) => play !== undefined && isWebRtc(play)) ?? measured[0];
  return found && { title: found.path.title, summary: found.summary };
}

/** `3 × 20 s`. */
export function lengthOf({ rows, measuredMs }: DelayTable): string {
  return `${Math.max(...rows.map(({ repeats }) => repeats.length))} × ${measuredMs / 1000} s`;
}
