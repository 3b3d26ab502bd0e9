import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Estimate, ResourceEstimate, ResourceId } from '../../../src/domain/estimate/estimate';
import { ceilingOf } from '../../../src/domain/estimate/ceiling';
import { estimatePlan } from '../../../src/domain/estimate/estimatePlan';
import { resourceKind } from '../../../src/domain/estimate/resources';
import type { PlanSearch } from '../../../src/domain/model/audienceValues';
import type { Plan } from '../../../src/domain/model/plan';
import type { RunView } from '../../../src/domain/model/run';
import { createEngine, type Engine } from '../../../src/engine';
import { readersByFork } from '../../../src/engine/savedRuns/startReader';
import { samplePlan } from '../../support/samplePlan';
import { pullPlan } from '../../support/pullPlan';

/** Estimates of a calibration with the real values; one line of JSON each on standard output. */
interface Row {
  readonly what: string;
  /** Viewers at which it is reached. */
  readonly truth: number;
  /** The largest size measured for the estimate. */
  readonly seen: number;
  readonly estimate?: number;
  readonly low?: number;
  readonly high?: number;
}

interface Order {
  readonly root: string;
  /** Artificial limits, in viewers. */
  readonly ceilings: readonly number[];
  /** Those whose limit is also found by a search. */
  readonly searched: readonly number[];
  /** The large load with which the small one is compared. */
  readonly viewers: number;
  readonly holdMs: number;
}

const stream = 'cam';
/** Artificial cost of a viewer. */
const cpuPerViewerMicros = 2000;
/** Number of sizes of a load, which also determines its minimum number of viewers. */
const sizes = 5;
/**
 * Resources that can be compared at another size. The host's CPU includes other load, so it is meaningful on a quiet
 * machine only.
 */
const compared: readonly ResourceId[] = ['hostCpu', 'processCpu', 'processMemory', 'bandwidth', 'packets', 'openFiles'];

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const print = (row: Row): void => void process.stdout.write(`${JSON.stringify(row)}\n`);

const base = (pull: Partial<Plan['pull']>): Plan =>
  samplePlan(
    { stream, viewers: 10, ratePerSecond: 50, holdMs: 1000, ...pull },
    {
      name: 'Bench',
      publish: [],
      expect: { degraded: { comparison: '<=', value: 1 } },
      // The limit is beyond the calibration, and other load of the machine must not stop it.
      stopWhen: [{ what: 'failed', comparison: '>', value: 50, forMs: 5000 }],
    },
  );

async function ran(engine: Engine, plan: Plan): Promise<RunView> {
  const ended = new Promise<RunView>((resolve) => {
    const off = engine.client.on('run', (run) => {
      if (run?.state !== 'ended') return;
      off();
      resolve(run);
    });
  });
  await engine.client.call('runs.start', { plan });
  return ended;
}

async function loaded(engine: Engine, maxViewers: number): Promise<Estimate> {
  const { id } = await ran(engine, estimatePlan(pullPlan(base({})), { maxViewers, sizes, holdMs: order.holdMs }));
  return engine.client.call('estimate.of', { run: id });
}

/** The limit found by a search; undefined without one. */
async function searchedLimit(engine: Engine, ceiling: number): Promise<number | undefined> {
  const search: PlanSearch = {
    fromViewers: Math.ceil(ceiling / 2),
    maxViewers: ceiling * 2,
    settleMs: 5000,
    measureMs: 5000,
    repeats: 1,
    precisionPercent: 3,
  };
  const { limit } = await ran(engine, base({ viewers: search.maxViewers, holdMs: 0, search }));
  if (limit?.state !== 'found') process.stderr.write(`The search ended: ${limit?.sentence ?? 'without a result'}\n`);
  return limit?.state === 'found' ? limit.viewers : undefined;
}

function find({ resources }: Estimate, id: ResourceId): ResourceEstimate | undefined {
  return resources.find((resource) => resource.id === id);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-estimate-'));
  const engine = createEngine({
    consent: { typed: ['nodes', 'publish', 'pull'] },
    runsFolder: folder,
    agentFolder: join(order.root, 'build', 'agents'),
    samplesFolder: join(order.root, 'assets', 'lab'),
    startReader: readersByFork(join(order.root, 'out', 'cli', 'runReader.js')),
    version: '0.1.0',
  });
  try {
    await engine.client.call('publish.start', { node: 'lab', stream, source: 'sample-240p' });
    for (const ceiling of order.ceilings) {
      const cpuBudgetMicros = ceiling * cpuPerViewerMicros;
      await engine.client.call('lab.conditions', { stream, cpuPerViewerMicros, cpuBudgetMicros });
      const estimate = await loaded(engine, Math.max(sizes, Math.floor(ceiling / 10)));
      const found = find(estimate, 'ownBudget')?.ceiling;
      const result = {
        seen: estimate.largest,
        ...(found && { estimate: found.value, low: found.low, high: found.high }),
      };
      print({ what: 'artificial CPU budget', truth: ceiling, ...result });
      const limit = order.searched.includes(ceiling) ? await searchedLimit(engine, ceiling) : undefined;
      if (limit !== undefined) print({ what: 'the same, by limit search', truth: limit, ...result });
    }
    await engine.client.call('lab.conditions', { stream, cpuPerViewerMicros: 0, cpuBudgetMicros: 0 });
    const small = await loaded(engine, order.viewers / 10);
    const large = await loaded(engine, order.viewers);
    for (const id of compared) {
      const [seen, measured] = [find(small, id), find(large, id)];
      if (!seen || !measured) continue;
      // The real value at the largest size is used as threshold, so that size is the expected ceiling.
      const top = measured.points.filter(({ viewers }) => viewers === large.largest);
      const value = top.reduce((sum, each) => sum + each.value, 0) / top.length;
      const found = seen.isRising ? ceilingOf(seen.line, value, small.largest) : undefined;
      print({
        what: resourceKind(id).title,
        truth: large.largest,
        seen: small.largest,
        ...(found && { estimate: found.value, low: found.low, high: found.high }),
      });
    }
  } finally {
    await engine.shutdown(true);
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
