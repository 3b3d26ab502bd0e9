import type { MetricsState } from '../../contract/prometheusCalls';
import type { Engine } from '../state/connection';
import type { Notices } from '../state/notices.svelte';

/** Whether a Prometheus may scrape the figures, and where. */
export class MetricsOffer {
  state = $state.raw<MetricsState>({});
  readonly #engine: Engine;
  readonly #unsubscribe: () => void;

  constructor(engine: Engine, notices: Notices) {
    this.#engine = engine;
    this.#unsubscribe = engine.on('metrics', (state) => (this.state = state));
    engine.call('metrics.state', {}).then(
      (state) => (this.state = state),
      (error: unknown) => notices.problem(error),
    );
  }

  get isOn(): boolean {
    return this.state.address !== undefined;
  }

  /** Rejects with a sentence when the port can't be had. */
  async start(port: number, bind?: string): Promise<void> {
    this.state = await this.#engine.call('metrics.start', { port, ...(bind === undefined ? {} : { bind }) });
  }

  async stop(): Promise<void> {
    await this.#engine.call('metrics.stop', {});
    this.state = {};
  }

  dispose(): void {
    this.#unsubscribe();
  }
}
