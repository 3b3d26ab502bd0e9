import type { RunSummary } from '../../../domain/model/run';
import type { WindowClient } from '../../client/connection';

/** The saved runs in the engine's folder, newest first. */
export class RunsList {
  list = $state.raw<readonly RunSummary[]>([]);
  readonly #engine: WindowClient;
  readonly #onProblem: (error: unknown) => void;
  readonly #unsubscribe: () => void;

  constructor(engine: WindowClient, onProblem: (error: unknown) => void) {
    this.#engine = engine;
    this.#onProblem = onProblem;
    this.#unsubscribe = engine.on('runsChanged', () => void this.refresh());
  }

  async refresh(): Promise<void> {
    try {
      const list = await this.#engine.call('runs.list', {});
      this.list = [...list].sort((a, b) => b.startedMs - a.startedMs);
    } catch (error) {
      this.#onProblem(error);
    }
  }

  async rename(run: string, name: string): Promise<void> {
    try {
      const renamed = await this.#engine.call('runs.rename', { run, name });
      this.list = this.list.map((summary) => (summary.id === run ? renamed : summary));
    } catch (error) {
      this.#onProblem(error);
    }
  }

  async tag(runs: readonly string[], add: readonly string[], remove: readonly string[]): Promise<void> {
    await this.#change(() => this.#engine.call('runs.tag', { runs: [...runs], add: [...add], remove: [...remove] }));
  }

  async describe(run: string, note: string): Promise<void> {
    await this.#change(async () => [await this.#engine.call('runs.describe', { run, note })]);
  }

  /** Marks a run as baseline, or removes the mark; replaces the previous baseline. */
  async setBaseline(run: string, isBaseline: boolean): Promise<void> {
    await this.#change(async () => [await this.#engine.call('runs.baseline', { run, isBaseline })]);
  }

  /** The changed rows; other changes are reported by `runsChanged`. */
  async #change(act: () => Promise<readonly RunSummary[]>): Promise<void> {
    try {
      const changed = await act();
      this.list = this.list.map((summary) => changed.find(({ id }) => id === summary.id) ?? summary);
    } catch (error) {
      this.#onProblem(error);
    }
  }

  /** Returns whether it was deleted; reports a problem. */
  async delete(run: string): Promise<boolean> {
    try {
      await this.#engine.call('runs.delete', { run });
      this.list = this.list.filter((summary) => summary.id !== run);
      return true;
    } catch (error) {
      this.#onProblem(error);
      return false;
    }
  }

  async undelete(run: string): Promise<void> {
    try {
      await this.#engine.call('runs.undelete', { run });
      await this.refresh();
    } catch (error) {
      this.#onProblem(error);
    }
  }

  dispose(): void {
    this.#unsubscribe();
  }
}
