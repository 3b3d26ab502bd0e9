import type { ImportProgress, MetricsState } from '../../../contract/prometheusCalls';
import type { RunView } from '../../../domain/model/run';
import type { WindowClient } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';
import { plainSentence } from './importForm';

/** Import from Prometheus, and metrics for it. */
export class PrometheusStore {
  readonly imports: Imports;
  readonly metrics: MetricsServing;

  constructor(engine: WindowClient, notices: Notices) {
    this.imports = new Imports(engine, notices);
    this.metrics = new MetricsServing(engine, notices);
  }

  dispose(): void {
    this.imports.dispose();
    this.metrics.dispose();
  }
}

/** Imports from a Prometheus. Updates continue while their dialog is closed. */
export class Imports {
  /** Latest state of the most recent import. */
  latest = $state.raw<ImportProgress>();
  /** A dialog shows its progress and result. */
  isObserved = $state(false);
  readonly #engine: WindowClient;
  readonly #notices: Notices;
  readonly #unsubscribe: () => void;

  constructor(engine: WindowClient, notices: Notices) {
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

/** Whether metrics are served for Prometheus, and where. */
export class MetricsServing {
  state = $state.raw<MetricsState>({});
  readonly #engine: WindowClient;
  readonly #unsubscribe: () => void;

  constructor(engine: WindowClient, notices: Notices) {
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
