import type { Engine } from '../client/connection';
import { RunRecord } from './runRecord.svelte';

/** An opened saved run; read only. */
export class OpenedRun {
  record = $state.raw<RunRecord>();
  isLoading = $state(false);
  readonly #engine: Engine;
  readonly #onProblem: (error: unknown) => void;

  constructor(engine: Engine, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
  }

  /** Returns whether it could be opened; reports a problem. */
  async open(run: string): Promise<boolean> {
    this.isLoading = true;
    try {
      const { run: view, events, stills, isForeign } = await this.#engine.call('runs.open', { run });
      const record = new RunRecord(view, events, stills, isForeign);
      await record.read(this.#engine, view.endedMs ?? Date.now(), false, () => (this.record = record));
      this.record = record;
      return true;
    } catch (error) {
      this.#onProblem(error);
      return false;
    } finally {
      this.isLoading = false;
    }
  }

  close(): void {
    this.record = undefined;
  }
}
