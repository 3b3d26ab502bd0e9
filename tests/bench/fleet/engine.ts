import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { serialize } from 'node:v8';
import { createEngine } from '../../../src/engine';
import { readersByFork } from '../../../src/engine/savedRuns/startReader';
import type { EngineFigures, NodeFigures, Order } from './order';

/** One series that every live node has from each of the two sources. */
const series = { server: 'originResponseMs', host: 'load1' } as const;

/** Only the engine, with a listening window; prints its cost in one line. */
async function main(order: Order): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-fleet-bench-'));
  const engine = createEngine({
    consent: { typed: ['nodes', 'publish', 'pull'] },
    runsFolder: folder,
    agentFolder: folder,
    samplesFolder: folder,
    startReader: readersByFork(join(process.cwd(), 'out', 'cli', 'runReader.js')),
    version: '0.0.0',
    sshFolder: order.sshFolder,
  });
  let bytes = 0;
  // Messages on a port are copied, which is the engine's work.
  engine.serve({ send: (message) => void (bytes += serialize(message).length), onMessage: () => undefined }, 'window');
  const times = new Map<string, number[]>();
  engine.client.on('samples', ({ keys, key, timeMs }) => {
    key.forEach((at, index) => {
      const of = keys[at];
      const known = of && times.get(`${of.node} ${of.series}`);
      if (known) known.push(timeMs[index] ?? 0);
    });
  });
  for (const [name, settings] of Object.entries(order.nodes))
    await engine.client.call('nodes.add', { name, settings, secrets: {} });
  await pause(order.warmUpSeconds * 1000);

  for (const name of Object.keys(order.nodes)) for (const id of Object.values(series)) times.set(`${name} ${id}`, []);
  bytes = 0;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startedMs = Date.now();
  const before = process.cpuUsage();
  const memory = { rss: 0, heap: 0 };
  const watching = setInterval(() => {
    const { rss, heapUsed } = process.memoryUsage();
    memory.rss = Math.max(memory.rss, rss);
    memory.heap = Math.max(memory.heap, heapUsed);
  }, 1000);
  await pause(order.seconds * 1000);
  const { user, system } = process.cpuUsage(before);
  const tookMs = Date.now() - startedMs;
  clearInterval(watching);
  delay.disable();

  const { nodes } = await engine.client.call('engine.state', {});
  const figuresOf = (node: string): NodeFigures => {
    const [server, host] = Object.values(series).map((id) => times.get(`${node} ${id}`) ?? []);
    // The ends count too: a node that stopped responding has a gap up to now.
    const gaps = [server ?? [], host ?? []].flatMap((all) =>
      [...all, startedMs + tookMs].map((time, index) => time - (all[index - 1] ?? startedMs)),
    );
    return {
      node,
      isDead: order.dead.includes(node),
      serverSamples: server?.length ?? 0,
      hostSamples: host?.length ?? 0,
      longestGapMs: Math.max(...gaps),
      problem: nodes.find(({ id }) => id === node)?.problem,
    };
  };
  const mb = (value: number): number => value / 2 ** 20;
  const figures: EngineFigures = {
    seconds: tookMs / 1000,
    cpuPercent: (user + system) / 10 / tookMs,
    rssMbMax: mb(memory.rss),
    heapMbMax: mb(memory.heap),
    longestTaskMs: delay.max / 1e6,
    messagesKbPerSecond: bytes / tookMs,
    nodes: Object.keys(order.nodes).map(figuresOf),
  };
  console.log(JSON.stringify(figures));
  await engine.shutdown(true);
  rmSync(folder, { recursive: true, force: true });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

main(JSON.parse(process.argv[2] ?? '{}') as Order)
  // Closing links to unresponsive hosts would take some seconds.
  .then(() => process.exit(0))
  .catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
