import type { Comparison } from '../../../../domain/compare/comparison';
import type { Alignment } from '../../../../domain/compare/curves';
import type { WindowClient } from '../../../client/connection';
import { errorText } from '../../../../domain/text/errorText';

/** The runs being compared. */
export class Comparing {
  result = $state.raw<Comparison>();
  /** One sentence if the comparison fails. */
  problem = $state<string>();
  isOpen = $state(false);
  alignment = $state<Alignment>('viewers');
  readonly #engine: WindowClient;
  #requested = '';

  constructor(engine: WindowClient) {
    this.#engine = engine;
  }

  /** Compares these runs. A later call supersedes one that is pending. */
  async show(runs: readonly string[]): Promise<void> {
    this.isOpen = true;
    const key = [...runs].sort().join('\n');
    if (key === this.#requested && !this.problem) return;
    this.#requested = key;
    this.problem = undefined;
    try {
      const result = await this.#engine.call('runs.compare', { runs: [...runs] });
      if (key !== this.#requested) return;
      this.result = result;
      // Without viewers there is no viewers axis.
      if (result.charts.every(({ overViewers }) => overViewers.every(({ x }) => x.length === 0)))
        this.alignment = 'time';
    } catch (error) {
      if (key !== this.#requested) return;
      this.result = undefined;
      this.problem = errorText(error);
    }
  }

  /** Repeats the comparison after the runs changed. */
  async again(runs: readonly string[]): Promise<void> {
    this.#requested = '';
    await this.show(runs);
  }

  close(): void {
    this.isOpen = false;
    this.#requested = '';
    this.result = undefined;
    this.problem = undefined;
  }
}
