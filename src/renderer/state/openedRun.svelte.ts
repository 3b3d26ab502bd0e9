import type { Engine } from './connection';
import { RunRecord } from './runRecord.svelte';

/** A kept run that somebody looks at; read only. */
export class OpenedRun {
  record = $state.raw<RunRecord>();
  isLoading = $state(false);
  readonly #engine: Engine;
  readonly #onProblem: (error: unknown) => void;

  constructor(engine: Engine, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
  }

  /** Answers whether it could be opened; a problem is told. */
  async open(run: string): Promise<boolean> {
    this.isLoading = true;
    try {
      const { run: view, events, stills } = await this.#engine.call('runs.open', { run });
      const record = new RunRecord(view, events, stills);
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
