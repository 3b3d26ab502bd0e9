import type { RunSummary } from '../../../domain/model/run';
import type { WindowClient } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';
import { toggled, withRange } from '../../ui/selection';
import { Comparing } from './compare/comparing.svelte';
import { noFilter, type RunFilter } from './runFilters';
import { RunsList } from './runsList.svelte';

/** The saved runs and the state of their view. */
export class RunsStore {
  readonly saved: RunsList;
  readonly screen: RunsScreen;

  constructor(
    engine: WindowClient,
    private readonly notices: Notices,
  ) {
    this.saved = new RunsList(engine, (error) => notices.problem(error));
    this.screen = new RunsScreen(engine);
  }

  /** Deletes runs and offers to undo it; returns the deleted ones. */
  async delete(runs: readonly RunSummary[]): Promise<readonly RunSummary[]> {
    const gone: RunSummary[] = [];
    for (const run of runs) if (await this.saved.delete(run.id)) gone.push(run);
    const [first] = gone;
    if (!first) return [];
    const undo = async (): Promise<void> => {
      for (const { id } of gone) await this.saved.undelete(id);
    };
    const what = gone.length === 1 ? `"${first.name}"` : `${gone.length} runs`;
    this.notices.done(`Deleted ${what}.`, { text: 'Undo', run: () => void undo() });
    return gone;
  }
}

/** State of the saved runs view; kept while other views are shown. */
export class RunsScreen {
  filter = $state.raw<RunFilter>(noFilter);
  /** Selected runs, by id. */
  chosen = $state.raw<readonly string[]>([]);
  /** The keyboard row. */
  cursor = $state<string>();
  readonly comparing: Comparing;

  constructor(engine: WindowClient) {
    this.comparing = new Comparing(engine);
  }

  narrow(changes: Partial<RunFilter>): void {
    this.filter = { ...this.filter, ...changes };
  }

  toggle(run: string): void {
    this.chosen = toggled(this.chosen, run);
  }

  extendTo(run: string, listed: readonly string[]): void {
    this.chosen = withRange(this.chosen, listed, this.cursor, run);
  }

  clear(): void {
    this.chosen = [];
    this.comparing.close();
  }

  /** Deselects deleted runs. */
  know(runs: readonly RunSummary[]): void {
    const known = this.chosen.filter((id) => runs.some((run) => run.id === id));
    if (known.length < this.chosen.length) this.chosen = known;
  }
}
