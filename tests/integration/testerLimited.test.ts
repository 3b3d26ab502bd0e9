import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Expectations, Plan, SeriesThreshold } from '../../src/domain/model/plan';
import type { RunView } from '../../src/domain/model/run';
import { openRunLibrary } from '../../src/engine/store';
import { occupy, limitedAgents } from './limitedTester';
import { cleanUp, ended, engineInTemporaryFolder, planOf, waitForRun, type TestEngine } from './support';

afterEach(cleanUp);

const connected = { connected: { comparison: '>=', value: 100 } } as const;
const connectedAndWell = { ...connected, degraded: { comparison: '<=', value: 0 } } as const;

async function play(
  engine: TestEngine,
  pull: Partial<Plan['pull']>,
  expectations: Expectations = connectedAndWell,
): Promise<RunView> {
  const { run } = await engine.client.call('runs.start', { plan: planOf(pull, { expect: expectations }) });
  // Until it is prepared, the run before is still shown.
  return waitForRun(engine, ({ id, state }) => id === run && state === 'ended');
}

/** The audience agent, by its command line. */
function audiencePid(engine: TestEngine): number {
  const found = engine.agentPids().find((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0audience\0'));
  if (found === undefined) throw new Error('No audience is running.');
  return found;
}

/** The port on which a process listens. */
function listeningPort(pid: number): number {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => readlinkOf(`/proc/${pid}/fd/${fd}`)));
  const [line] = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => state === '0A' && own.has(`socket:[${inode}]`));
  return Number.parseInt(line?.[1]?.split(':')[1] ?? '', 16);
}

function readlinkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ''; // closed meanwhile
  }
}

describe.runIf(process.platform === 'linux')('a tester without the capacity for its audience', () => {
  it('reports before the run how many viewers its open-files limit allows', async () => {
    const engine = engineInTemporaryFolder({ agentFolder: limitedAgents({ limits: 'ulimit -n 300' }) });
    const view = await play(engine, { viewers: 60 });
    const sentence = 'audience was at its own limit: it can run at most 44 viewers; 60 viewers were requested.';
    expect(view.verdict).toMatchObject({
      verdict: 'not-started',
      reasons: [{ node: 'audience', sentence }],
    });
    expect(view.testerLimits).toMatchObject([{ node: 'audience', kind: 'open-files', sentence }]);
    expect(view.nodes.find(({ id }) => id === 'audience')).toMatchObject({ viewerLimit: 44 });
  });

  it('is named as the cause of lost viewers that can not connect again, though none of them failed', async () => {
    const engine = engineInTemporaryFolder();
    const full = waitForRun(engine, ({ figures }) => figures.connected === 40);
    const end = ended(engine);
    const pull = { viewers: 40, ratePerSecond: 40, holdMs: 9000, reconnect: true };
    const thresholds: SeriesThreshold[] = [{ series: 'viewersReconnecting', comparison: '<=', value: 0 }];
    await engine.client.call('runs.start', { plan: planOf(pull, { expect: connected, thresholds }) });
    await full;
    execFileSync('prlimit', ['--pid', String(audiencePid(engine)), '--nofile=40:40']);
    // The stream ends and is published again: all viewers are lost, and find too few files.
    await engine.client.call('nodes.terminate', { node: 'origin', stream: 'cam' });
    await engine.client.call('publish.start', { node: 'origin', stream: 'cam', source: 'sample-240p' });
    const view = await end;
    const [limit] = view.testerLimits ?? [];
    expect(limit).toMatchObject({ kind: 'open-files', node: 'audience' });
    expect(limit?.sentence).toMatch(
      /^audience was at its own limit: \d+ attempts? of lost viewers to reconnect failed within 5 s because it ran out of open files at /,
    );
    expect(view.verdict?.verdict).toBe('inconclusive');
    // Where others use the machine, that is the first reason.
    const reasons = view.verdict?.reasons ?? [];
    expect(reasons.map(({ sentence }) => sentence)).toContain(limit?.sentence);
    expect(reasons.flatMap(({ series, expectation }) => series ?? expectation ?? [])).toEqual([
      'viewersReconnecting',
      'connected',
    ]);
  });

  it('keeps its open files when another program floods the port of its agent, and names that as the cause', async () => {
    const engine = engineInTemporaryFolder({ agentFolder: limitedAgents({ limits: 'ulimit -n 700' }) });
    await play(engine, { viewers: 1, holdMs: 500 });
    const port = listeningPort(audiencePid(engine));
    const played = play(
      engine,
      { viewers: 300, ratePerSecond: 100, holdMs: 3000 },
      { connected: { comparison: '>=', value: 300 } },
    );
    // The agent names refusals once a minute: within the run, not before it.
    await waitForRun(engine, ({ state, phases }) => state !== 'ended' && phases.at(-1)?.name === 'ramp');
    const sockets = Array.from({ length: 1200 }, () => connect(port, '127.0.0.1'));
    for (const socket of sockets) {
      socket.on('error', () => undefined).resume();
      socket.write('GET /v1 HTTP/1.1\r\nHost: x\r\n\r\n');
    }
    const view = await played;
    for (const socket of sockets) socket.destroy();
    expect(view.figures).toMatchObject({ connectedPeak: 300, failed: 0 });
    expect(view.testerLimits ?? []).not.toContainEqual(expect.objectContaining({ kind: 'open-files' }));
    expect(engine.events.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(
        /^[\d,]+ connections without the token were refused in the last minute at the agent's port/,
      ),
    );
  });

  it('is marked where its reading thread gets no processor, and its viewers do not affect the verdict', async () => {
    const engine = engineInTemporaryFolder({ agentFolder: limitedAgents({ under: 'taskset -c 0 nice -n 19' }) });
    // So many that its share of CPU is insufficient even for low-cost viewers.
    occupy(0, 60, 20);
    const view = await play(engine, { viewers: 250, ratePerSecond: 100, holdMs: 4000 });
    expect(view.testerLimits).toContainEqual(expect.objectContaining({ node: 'audience', kind: 'cpu' }));
    expect(view.verdict?.verdict).toBe('inconclusive');
    // If the loops use much of the complete machine, its load is reported first.
    const reasons = view.verdict?.reasons ?? [];
    expect(['machine', 'tester']).toContain(reasons[0]?.causedBy);
    expect(view.verdict?.sentence).toMatch(
      /the verdict is inconclusive: (audience was at its own limit|this machine was busy): /,
    );
    // On a machine that is busy as a whole it is a part of that reason.
    expect(reasons.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(
        /audience was at its own limit: its reading thread waited for a processor for [\d.]+ % of 5 s, on the machine shared with origin, at /,
      ),
    );
    const marks = engine.events.filter(({ sentence }) => sentence.startsWith('Tester-limited: '));
    expect(marks[0]).toMatchObject({ node: 'audience', mark: 'limit' });
    const reader = openRunLibrary(engine.folder).open(view.id);
    try {
      expect(reader.view().testerLimits).toEqual(view.testerLimits);
      expect(Math.max(...reader.values('audience', 'testerReaderWaitPercent').value)).toBeGreaterThan(20);
    } finally {
      reader.close();
    }
  });
});
