import type { RunSummary } from '../../domain/run';
import { Comparing } from '../compare/comparing.svelte';
import type { Engine } from '../state/connection';
import { everyRun, type RunFilter } from './runFilters';
import { toggled, withRange } from './selection';

/** What somebody has chosen on the screen of kept runs; it stays while other views are looked at. */
export class RunsScreen {
  filter = $state.raw<RunFilter>(everyRun);
  /** Ticked runs, by id. */
  chosen = $state.raw<readonly string[]>([]);
  /** The row that keys act on. */
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

  /** Runs that were deleted are chosen no more. */
  know(runs: readonly RunSummary[]): void {
    const known = this.chosen.filter((id) => runs.some((run) => run.id === id));
    if (known.length < this.chosen.length) this.chosen = known;
  }
}
