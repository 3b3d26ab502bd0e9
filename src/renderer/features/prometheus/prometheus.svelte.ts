import type { Engine } from '../../client/connection';
import type { Notices } from '../../ui/notices/notices.svelte';
import { Imports } from './imports.svelte';
import { MetricsServing } from './metricsEndpoint.svelte';

/** Import from Prometheus, and metrics for it. */
export class PrometheusStore {
  readonly imports: Imports;
  readonly metrics: MetricsServing;

  constructor(engine: Engine, notices: Notices) {
    this.imports = new Imports(engine, notices);
    this.metrics = new MetricsServing(engine, notices);
  }

  dispose(): void {
    this.imports.dispose();
    this.metrics.dispose();
  }
}
