import { FullhouseError } from '../../contract/calls';
import type { Plan } from '../../domain/model/plan';
import { firstOrigin } from '../../domain/model/publisherGroup';
import type { RunView } from '../../domain/model/run';
import type { Engine } from '../../engine';
import { systemClock } from '../../engine/base/clock';
import { BackgroundOutput } from '../backgroundOutput';
import { printStatus, setStatusOutput } from '../print';
import { Progress } from '../progress';
import { onStopSignal, StoppedBySignal } from '../stopSignals';

/** An output that takes nothing is not waited for longer. */
const drainedMs = 2000;

/**
 * Resolves with the run when it has ended, one that started after `before`. Ctrl-C stops it, a second one forces it.
 */
export async function runToEnd(
  engine: Engine,
  plan: Plan,
  begin: () => Promise<unknown>,
  before?: string,
): Promise<RunView> {
  const { client } = engine;
  // Windows writes in the background by itself.
  const output = process.platform === 'win32' ? undefined : new BackgroundOutput(process.stderr);
  setStatusOutput(output ?? process.stderr);
  const progress = new Progress(output ?? process.stderr);
  let stopRequests = 0;
  let hasStarted = false;
  const stop = (): void => {
    stopRequests += 1;
    progress.clear();
    printStatus(stopRequests === 1 ? 'Stopping; press Ctrl-C again to force it.' : 'Forced stop.');
    void client.call('runs.stopAll', { force: stopRequests > 1 });
    void endSchedules(engine);
  };
  const endSignals = onStopSignal(stop);
  const subscriptions: Array<() => void> = [];
  try {
    return await new Promise<RunView>((resolve, reject) => {
      let startedMs = systemClock.now();
      subscriptions.push(
        engine.saved.progress.on((read) => progress.reading(read)),
        client.on('samples', (batch) => progress.samples(batch, firstOrigin(plan))),
        client.on('event', (event) => progress.event(event, startedMs)),
        client.on('run', (run) => {
          if (!run || run.id === before) return;
          startedMs = run.startedMs;
          hasStarted = true;
          if (run.state === 'ended') resolve(run);
          else progress.run(run);
        }),
      );
      subscriptions.push(
        client.on('schedules', () => {
          if (stopRequests > 0 && !hasStarted) reject(new StoppedBySignal());
        }),
      );
      begin().catch((error: Error) => {
        reject(error instanceof FullhouseError && error.code === 'stopped' ? new StoppedBySignal() : error);
      });
    });
  } finally {
    for (const end of subscriptions) end();
    endSignals();
    progress.clear();
    await output?.drained(drainedMs);
    setStatusOutput(process.stderr);
  }
}

async function endSchedules({ client }: Engine): Promise<void> {
  for (const { id } of await client.call('schedules.list', {})) await client.call('schedules.remove', { schedule: id });
}
