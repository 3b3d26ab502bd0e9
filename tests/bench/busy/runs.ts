import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { defaultExpectations, type Plan } from '../../../src/domain/model/plan';
import type { RunView } from '../../../src/domain/model/run';
import { createEngine, type Engine } from '../../../src/engine';
import { readersByFork } from '../../../src/engine/savedRuns/startReader';

/**
 * Executes one run of the lab for each line of standard input, `{"viewers": 100}`, and prints its verdict in one line
 * of JSON.
 */

const stream = 'cam';
/** A verdict uses windows of 5 s: one of them must fit in the hold. */
const holdMs = 6000;
const rampSeconds = 2;

const [, , root = '.'] = process.argv;
const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** The plan of the app's first start, with its default expectations. */
function planOf(viewers: number): Plan {
  return {
    name: `Pull ${viewers}`,
    nodes: { lab: { server: 'lab' }, local: { tester: 'local' } },
    publish: [{ stream, node: 'lab', source: 'sample-240p' }],
    pull: {
      ...{ stream, from: 'lab', by: ['local'], protocol: 'whep', viewers, holdMs },
      ratePerSecond: Math.max(10, viewers / rampSeconds),
    },
    expect: defaultExpectations,
  };
}

function ended(engine: Engine): Promise<RunView> {
  return new Promise((resolve) => {
    const off = engine.client.on('run', (run) => {
      if (run?.state !== 'ended') return;
      off();
      resolve(run);
    });
  });
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-busy-'));
  const engine = createEngine({
    consent: { typed: ['nodes', 'publish', 'pull'] },
    runsFolder: folder,
    agentFolder: join(root, 'build', 'agents'),
    samplesFolder: join(root, 'assets', 'lab'),
    startReader: readersByFork(join(root, 'out', 'cli', 'runReader.js')),
    version: '0.1.0',
  });
  try {
    await engine.client.call('publish.start', { node: 'lab', stream, source: 'sample-240p' });
    print({ ready: true });
    for await (const line of createInterface({ input: process.stdin })) {
      const { viewers } = JSON.parse(line) as { readonly viewers: number };
      const end = ended(engine);
      const { run: id } = await engine.client.call('runs.start', { plan: planOf(viewers) });
      const { verdict, figures, startedMs, endedMs = startedMs, baseline } = await end;
      print({
        ...{ viewers, verdict: verdict?.verdict, sentence: verdict?.sentence },
        reason: verdict?.reasons[0]?.sentence,
        reasons: verdict?.reasons.map(({ sentence }) => sentence),
        ...{ connected: figures.connectedPeak, degraded: figures.degradedPeak, tookMs: endedMs - startedMs },
        baseline: baseline?.[0]?.values,
      });
      await engine.client.call('runs.delete', { run: id }).catch(() => undefined); // the folder is removed at the end
    }
  } finally {
    await engine.shutdown(true);
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
