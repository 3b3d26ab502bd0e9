import type { RunView } from '../../../domain/model/run';
import type { ImportProgress } from '../../../contract/prometheusCalls';
import type { Engine } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';
import { plainSentence } from './importForm';

/** Imports from a Prometheus. Updates continue while their dialog is closed. */
export class Imports {
  /** Latest state of the most recent import. */
  latest = $state.raw<ImportProgress>();
  /** A dialog shows its progress and result. */
  isObserved = $state(false);
  readonly #engine: Engine;
  readonly #notices: Notices;
  readonly #unsubscribe: () => void;

  constructor(engine: Engine, notices: Notices) {
    this.#engine = engine;
    this.#notices = notices;
    this.#unsubscribe = engine.on('prometheusImport', (progress) => {
      this.latest = progress;
      if (this.isObserved) return;
      if (progress.state === 'done') notices.done(`Imported "${progress.name}".`);
      else if (progress.state === 'incomplete' || progress.state === 'failed')
        notices.problem(plainSentence(progress.sentence));
    });
  }

  get reading(): ImportProgress | undefined {
    return this.latest?.state === 'reading' ? this.latest : undefined;
  }

  /** Queries the missing ranges of a run again; a notice reports the result. A foreign run may name any address. */
  async resume({ id, name }: Pick<RunView, 'id' | 'name'>, isForeign: boolean): Promise<void> {
    try {
      if (isForeign)
        throw new Error(
          `"${name}" was not recorded by this console, so the Prometheus that it names is not contacted. ` +
            'Import the same range with Import from Prometheus instead.',
        );
      await this.#engine.call('prometheus.resume', { run: id });
    } catch (error) {
      this.#notices.problem(error);
    }
  }

  cancel(): void {
    const { reading } = this;
    if (!reading) return;
    this.#engine.call('prometheus.cancel', { id: reading.id }).catch((error: unknown) => this.#notices.problem(error));
  }

  dispose(): void {
    this.#unsubscribe();
  }
}
