import type { ImportProgress } from '../../contract/prometheusCalls';
import type { Engine } from '../state/connection';
import type { Notices } from '../state/notices.svelte';
import { plainSentence } from './importForm';

/** Ranges of a Prometheus that are being read. It goes on listening while their dialog is closed. */
export class Imports {
  /** The latest word about the import that was begun last. */
  latest = $state.raw<ImportProgress>();
  /** A dialog shows how it goes and says how it ended. */
  isWatched = $state(false);
  readonly #engine: Engine;
  readonly #notices: Notices;
  readonly #unsubscribe: () => void;

  constructor(engine: Engine, notices: Notices) {
    this.#engine = engine;
    this.#notices = notices;
    this.#unsubscribe = engine.on('prometheusImport', (news) => {
      this.latest = news;
      if (this.isWatched) return;
      if (news.state === 'done') notices.done(`Imported "${news.name}".`);
      else if (news.state === 'incomplete' || news.state === 'failed')
        notices.problem(plainSentence(news.sentence));
    });
  }

  get reading(): ImportProgress | undefined {
    return this.latest?.state === 'reading' ? this.latest : undefined;
  }

  /** Asks again for what is missing of a run; what comes of it is told in a notice. */
  async resume(run: string): Promise<void> {
    try {
      await this.#engine.call('prometheus.resume', { run });
    } catch (error) {
      this.#notices.problem(error);
    }
  }

  cancel(): void {
    const { reading } = this;
    if (!reading) return;
    this.#engine
      .call('prometheus.cancel', { id: reading.id })
      .catch((error: unknown) => this.#notices.problem(error));
  }

  dispose(): void {
    this.#unsubscribe();
  }
}
