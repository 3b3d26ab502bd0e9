import type { Engine } from '../engine';

/** Lets a Prometheus scrape the run; says where. Rejects with a sentence when the port can't be had. */
export async function offerMetrics(
  engine: Engine,
  { port, bind }: { readonly port: number; readonly bind: string | undefined },
  say: (line: string) => void,
): Promise<void> {
  const token = process.env['FULLHOUSE_METRICS_TOKEN'];
  const state = await engine.client.call('metrics.start', { port, bind, token });
  say(`Prometheus may scrape ${state.address ?? ''}.`);
  // Made because none was given, and nobody could know it otherwise.
  if (state.token !== undefined && token === undefined)
    say(`It has to send this token (set FULLHOUSE_METRICS_TOKEN to choose one): ${state.token}`);
}
