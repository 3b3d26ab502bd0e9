import type { Comparison } from '../../domain/compare/comparison';
import type { Alignment } from '../../domain/compare/curves';
import type { Engine } from '../state/connection';

/** The runs that are held against each other on the screen. */
export class Comparing {
  result = $state.raw<Comparison>();
  /** One sentence where it can't be done. */
  problem = $state<string>();
  isOpen = $state(false);
  alignment = $state<Alignment>('viewers');
  readonly #engine: Engine;
  #asked = '';

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Holds these runs against each other. A later call wins over one that is still on its way. */
  async show(runs: readonly string[]): Promise<void> {
    this.isOpen = true;
    const asked = [...runs].sort().join('\n');
    if (asked === this.#asked && !this.problem) return;
    this.#asked = asked;
    this.problem = undefined;
    try {
      const result = await this.#engine.call('runs.compare', { runs: [...runs] });
      if (asked !== this.#asked) return;
      this.result = result;
      // Without an audience there is no size of it to lay things on.
      if (result.charts.every(({ overViewers }) => overViewers.every(({ x }) => x.length === 0)))
        this.alignment = 'time';
    } catch (error) {
      if (asked !== this.#asked) return;
      this.result = undefined;
      this.problem = error instanceof Error ? error.message : String(error);
    }
  }

  /** The same again, since something about the runs has changed. */
  async again(runs: readonly string[]): Promise<void> {
    this.#asked = '';
    await this.show(runs);
  }

  close(): void {
    this.isOpen = false;
    this.#asked = '';
    this.result = undefined;
    this.problem = undefined;
  }
}
