import type { MetricsState } from '../../../contract/prometheusCalls';
import type { Engine } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';

/** Whether metrics are served for Prometheus, and where. */
export class MetricsServing {
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

  /** Rejects with a sentence if the port is unavailable. */
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
