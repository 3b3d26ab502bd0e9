import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LabConditions } from '../../../src/contract/labProtocol';
import type { Plan } from '../../../src/domain/model/plan';
import type { RunView } from '../../../src/domain/model/run';
import { createEngine, type Engine } from '../../../src/engine';
import { readersByFork } from '../../../src/engine/savedRuns/startReader';
import type { LimitRow, Order } from './order';
import { samplePlan } from '../../support/samplePlan';

const stream = 'cam';

/**
 * One engine as in the command line, its lab with an artificial limit, and a run with a search; prints the result in
 * one line.
 */
async function main(root: string, order: Order): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-limit-bench-'));
  const engine = createEngine({
    consent: { typed: ['nodes', 'publish', 'pull'] },
    runsFolder: folder,
    agentFolder: join(root, 'build', 'agents'),
    samplesFolder: join(root, 'assets', 'lab'),
    startReader: readersByFork(join(root, 'out', 'cli', 'runReader.js')),
    version: '0.0.0',
  });
  try {
    await engine.client.call('publish.start', { node: 'lab', stream, source: 'sample-240p' });
    await engine.client.call('lab.conditions', { stream, ...conditionsOf(order) });
    const done = ended(engine);
    const startedMs = Date.now();
    await engine.client.call('runs.start', { plan: planOf(order) });
    const { limit } = await done;
    if (!limit) throw new Error('The run has no limit.');
    const { state, viewers, plusMinus, trials, repeats, sentence, bottleneck } = limit;
    const row: LimitRow = {
      kind: order.kind,
      ceiling: order.ceiling,
      state,
      viewers,
      plusMinus,
      isInside: state === 'found' && viewers !== undefined && Math.abs(order.ceiling - viewers) <= (plusMinus ?? 0),
      trials: trials.length,
      repeats,
      tookMs: Date.now() - startedMs,
      bottleneck: bottleneck?.what,
      sentence,
    };
    console.log(JSON.stringify(row));
  } finally {
    await engine.shutdown(true);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The limit is the first size above: at the one below, half a viewer's cost is unused. */
function conditionsOf({ kind, ceiling, cpuPerViewerMicros }: Order): LabConditions {
  return kind === 'degrade'
    ? { degradeFrom: ceiling }
    : { cpuPerViewerMicros, cpuBudgetMicros: cpuPerViewerMicros * (ceiling - 0.5) };
}

function planOf(order: Order): Plan {
  const { fromViewers, maxViewers, settleMs, measureMs, repeats, precisionPercent, ratePerSecond } = order;
  const search = { fromViewers, maxViewers, settleMs, measureMs, repeats, precisionPercent };
  return samplePlan(
    { stream, viewers: maxViewers, ratePerSecond, holdMs: 0, search },
    {
      name: 'Find the limit',
      publish: [],
      // Several of these runs share the machine, so its CPU is not attributable to one.
      expect: { connected: { comparison: '>=', value: 99 }, degraded: { comparison: '<=', value: 1 } },
    },
  );
}

function ended(engine: Engine): Promise<RunView> {
  return new Promise((resolve) => {
    engine.client.on('run', (run) => {
      if (run?.state === 'ended') resolve(run);
    });
  });
}

const [root = '', order = '{}'] = process.argv.slice(2);
main(root, JSON.parse(order) as Order)
  .then(() => process.exit(0))
  .catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
