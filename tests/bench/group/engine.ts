import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { serialize } from 'node:v8';
import { createEngine } from '../../../src/engine';
import { Emitter } from '../../../src/engine/base/emitter';
import type { GroupMember, GroupSource } from '../../../src/engine/fleet/group/groupSource';
import { openAgentLink } from '../../../src/engine/links/webSocketLink';
import { readersByFork } from '../../../src/engine/savedRuns/startReader';
import { samplePlan } from '../../support/samplePlan';
import type { EngineOrder, GroupFigures, MemberAddress } from './order';

/** Members that run elsewhere already. */
function sourceOf(members: readonly MemberAddress[]): GroupSource {
  const joined = new Emitter<GroupMember>();
  const ready: GroupMember[] = [];
  return {
    get readiness() {
      return { size: members.length, ready: ready.length, missing: [] };
    },
    start: async () => {
      await Promise.all(
        members.map(async ({ address, token }, index) => {
          const name = `load-${index + 1}`;
          const link = await openAgentLink({ address: () => address, token, who: name, version: '0.0.0' });
          ready.push({ index, name, link });
          joined.emit({ index, name, link });
        }),
      );
    },
    stop: () => Promise.resolve(),
    onMember: (listener) => joined.on(listener),
    onLost: () => () => undefined,
    onReadiness: () => () => undefined,
    close: () => Promise.resolve(ready.forEach(({ link }) => link.close())),
  };
}

/** Only the engine with a listening window, and a run whose tester is a group; prints its cost in one line. */
async function main(order: EngineOrder): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-group-bench-'));
  const engine = createEngine({
    consent: { typed: ['nodes', 'publish', 'pull'] },
    runsFolder: folder,
    agentFolder: join(process.cwd(), 'build', 'agents'),
    samplesFolder: join(process.cwd(), 'assets', 'lab'),
    startReader: readersByFork(join(process.cwd(), 'out', 'cli', 'runReader.js')),
    version: '0.0.0',
    openGroupSource: () => sourceOf(order.members),
  });
  engine.serve({ send: (message) => void serialize(message), onMessage: () => undefined }, 'window');
  let samples = 0;
  engine.client.on('samples', ({ keys, key }) => {
    samples += key.filter((at) => keys[at]?.node === 'load' && keys[at]?.series === 'viewersConnected').length;
  });
  const viewers = order.members.length * order.viewersEach;
  let connected = 0;
  let state: string | undefined;
  let sentence: string | undefined;
  engine.client.on('run', (run) => {
    connected = run?.figures.connected ?? 0;
    state = run?.state;
    sentence = run?.verdict?.sentence;
  });
  const origin = order.isSimulated
    ? // Something listens there; simulated viewers pull nothing.
      ({ server: 'generic', whep: `http://${order.members[0]?.address ?? ''}/whep/{stream}` } as const)
    : ({ server: 'lab' } as const);
  const plan = samplePlan(
    { viewers, ratePerSecond: Math.max(20, viewers / 10), holdMs: 0, by: ['load'] },
    { nodes: { origin, load: { tester: 'ssh', hosts: ['load-1'] } }, ...(order.isSimulated ? { publish: [] } : {}) },
  );
  await engine.client.call('runs.start', { plan });
  const endMs = Date.now() + 120_000;
  while (connected < viewers) {
    if (Date.now() > endMs || state === 'ended')
      throw new Error(`${connected} of ${viewers} viewers connected; the run is ${state}: ${sentence}`);
    await pause(100);
  }
  await pause(order.warmUpSeconds * 1000);

  samples = 0;
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
  const mb = (value: number): number => value / 2 ** 20;
  const figures: GroupFigures = {
    seconds: tookMs / 1000,
    cpuPercent: (user + system) / 10 / tookMs,
    rssMbMax: mb(memory.rss),
    heapMbMax: mb(memory.heap),
    longestTaskMs: delay.max / 1e6,
    connected,
    samplesPerSecond: (1000 * samples) / tookMs,
  };
  console.log(JSON.stringify(figures));
  await engine.client.call('runs.stopAll', { force: true });
  await engine.shutdown(true);
  rmSync(folder, { recursive: true, force: true });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

main(JSON.parse(process.argv[2] ?? '{}') as EngineOrder)
  .then(() => process.exit(0))
  .catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
