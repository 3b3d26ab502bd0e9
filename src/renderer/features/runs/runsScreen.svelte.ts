import type { RunSummary } from '../../../domain/model/run';
import { Comparing } from './compare/comparing.svelte';
import type { Engine } from '../../client/connection';
import { noFilter, type RunFilter } from './runFilters';
import { toggled, withRange } from '../../ui/selection';

/** State of the saved runs view; kept while other views are shown. */
export class RunsScreen {
  filter = $state.raw<RunFilter>(noFilter);
  /** Selected runs, by id. */
  chosen = $state.raw<readonly string[]>([]);
  /** The keyboard row. */
  cursor = $state<string>();
  readonly comparing: Comparing;

  constructor(engine: Engine) {
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
