import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Estimate, ResourceEstimate, ResourceId } from '../../../src/domain/estimate/estimate';
import { ceilingOf } from '../../../src/domain/estimate/ceiling';
import { estimatePlan } from '../../../src/domain/estimate/estimatePlan';
import { resourceKind } from '../../../src/domain/estimate/resources';
import type { Plan } from '../../../src/domain/plan';
import { createEngine, type Engine } from '../../../src/engine';

/** The estimate of a small load beside what is true; one line of JSON each on standard output. */
interface Row {
  readonly what: string;
  /** Viewers at which it is reached. */
  readonly truth: number;
  /** The largest size that the estimate has seen. */
  readonly seen: number;
  readonly estimate?: number;
  readonly low?: number;
  readonly high?: number;
}

interface Order {
  readonly root: string;
  /** Made ceilings, in viewers. */
  readonly ceilings: readonly number[];
  /** The large load that the small one is held against. */
  readonly viewers: number;
  readonly holdMs: number;
}

const stream = 'cam';
/** What a viewer of a made ceiling costs. */
const cpuPerViewerMicros = 2000;
/** Sizes of a load: the fewest viewers that make so many sizes are its fewest viewers at all. */
const sizes = 5;
/** What of the origin alone can be held against itself at another size: the host's figures have all its other jobs in them. */
const ownResources: readonly ResourceId[] = [
  'processCpu',
  'processMemory',
  'bandwidth',
  'packets',
  'openFiles',
];

const order = JSON.parse(process.argv[2] ?? '{}') as Order;
const tell = (row: Row): void => void process.stdout.write(`${JSON.stringify(row)}\n`);

async function loaded(engine: Engine, mostViewers: number): Promise<Estimate> {
  const plan: Plan = {
    name: 'Bench',
    nodes: { origin: { server: 'lab' }, audience: { tester: 'local' } },
    publish: [],
    pull: {
      stream,
      from: 'origin',
      by: ['audience'],
      protocol: 'whep',
      viewers: mostViewers,
      ratePerSecond: 50,
      holdMs: 1000,
    },
    expect: {},
    // A made ceiling is beyond the load, and other jobs of the machine must not end it.
    stopWhen: [{ what: 'failed', comparison: '>', value: 50, forMs: 5000 }],
  };
  const ended = new Promise<void>((resolve) => {
    const off = engine.client.on('run', (run) => {
      if (run?.state !== 'ended') return;
      off();
      resolve();
    });
  });
  const small = estimatePlan(plan, { mostViewers, sizes, holdMs: order.holdMs });
  const { run } = await engine.client.call('runs.start', { plan: small });
  await ended;
  return engine.client.call('estimate.of', { run });
}

function find({ resources }: Estimate, id: ResourceId): ResourceEstimate | undefined {
  return resources.find((each) => each.id === id);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-estimate-'));
  const engine = createEngine({
    runsFolder: folder,
    agentFolder: join(order.root, 'build', 'agents'),
    samplesFolder: join(order.root, 'assets', 'lab'),
    version: '0.1.0',
  });
  try {
    await engine.client.call('publish.start', { node: 'lab', stream, source: 'sample-240p' });
    for (const ceiling of order.ceilings) {
      const cpuBudgetMicros = ceiling * cpuPerViewerMicros;
      await engine.client.call('lab.conditions', { stream, cpuPerViewerMicros, cpuBudgetMicros });
      const estimate = await loaded(engine, Math.max(sizes, Math.floor(ceiling / 10)));
      const found = find(estimate, 'ownBudget')?.ceiling;
      tell({
        what: 'made CPU budget',
        truth: ceiling,
        seen: estimate.largest,
        ...(found && { estimate: found.value, low: found.low, high: found.high }),
      });
    }
    await engine.client.call('lab.conditions', { stream, cpuPerViewerMicros: 0, cpuBudgetMicros: 0 });
    const small = await loaded(engine, order.viewers / 10);
    const large = await loaded(engine, order.viewers);
    for (const id of ownResources) {
      const [seen, measured] = [find(small, id), find(large, id)];
      if (!seen || !measured) continue;
      // What the resource really was at the largest size is taken as its threshold: the truth is that size.
      const top = measured.points.filter(({ viewers }) => viewers === large.largest);
      const value = top.reduce((sum, each) => sum + each.value, 0) / top.length;
      const found = ceilingOf(seen.line, value, small.largest);
      tell({
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
