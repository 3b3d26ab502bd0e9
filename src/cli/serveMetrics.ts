import { isLoopbackHost } from '../domain/text/loopback';
import type { Engine } from '../engine';

/**
 * Exposes the run's metrics to Prometheus and prints the address. Rejects with a sentence when the port is not
 * available.
 */
export async function serveMetrics(
  engine: Engine,
  { port, bind }: { readonly port: number; readonly bind: string | undefined },
  printStatus: (line: string) => void,
): Promise<void> {
  const token = process.env['FULLHOUSE_METRICS_TOKEN'];
  const state = await engine.client.call('metrics.start', { port, bind, token });
  const reach =
    bind === undefined || isLoopbackHost(bind) ? '' : ' (reachable from other machines, without encryption)';
  printStatus(`Metrics for Prometheus: ${state.address ?? ''}${reach}`);
  // Generated because none was given, so it has to be printed.
  if (state.token !== undefined && token === undefined)
    printStatus(`Required token (set FULLHOUSE_METRICS_TOKEN to choose one): ${state.token}`);
}
