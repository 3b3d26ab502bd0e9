import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { agentRecord } from '../../../src/contract/agentSample';
import type { Plan } from '../../../src/domain/model/plan';
import type { RunView } from '../../../src/domain/model/run';
import { createEngine, type Engine } from '../../../src/engine';
import { localAgentBinary, startLocalAgent } from '../../../src/engine/links/localAgent';
import { RecordInbox } from '../../../src/engine/links/recordInbox';
import { openAgentLink } from '../../../src/engine/links/webSocketLink';
import { outagesResult, publisherOutagesResult } from '../../../src/engine/report/outageResult';
import { readersByFork } from '../../../src/engine/savedRuns/startReader';
import { samplePlan } from '../../support/samplePlan';

/** What the soak is made of. */
interface Order {
  readonly minutes: number;
  readonly viewers: number;
}

/** A fault of the server, once a minute: it ends all sessions and refuses new ones, or it ends the publication. */
type Fault = { readonly kind: 'refuses'; readonly forMs: number } | { readonly kind: 'ends the publication' };

const stream = 'cam';
const faultEveryMs = 60_000;

const faultOf = (minute: number): Fault =>
  minute % 5 === 4 ? { kind: 'ends the publication' } : { kind: 'refuses', forMs: 6000 + ((minute * 7) % 15) * 1000 };

/** WHIP and WHEP in front of the lab, with faults on request. */
async function startFront(base: string) {
  const sessions = new Set<string>();
  let isRefusing = false;
  const server = createServer((request, response) => {
    const { method, headers, url = '/' } = request;
    if (method === 'GET' || method === 'HEAD') return void response.writeHead(405).end();
    if (isRefusing && method === 'POST' && url.startsWith('/whep/')) return void response.writeHead(503).end();
    const onwards = httpRequest(new URL(url, base), { method, headers }, (answer) => {
      const { location } = answer.headers;
      if (method === 'POST' && location !== undefined) sessions.add(location);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    request.pipe(onwards);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = async (kind: 'whep' | 'whip'): Promise<void> => {
    for (const location of [...sessions].filter((session) => session.includes(`/${kind}/`))) {
      sessions.delete(location);
      await fetch(new URL(location, base), { method: 'DELETE' });
    }
  };
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apply: async (fault: Fault): Promise<void> => {
      if (fault.kind !== 'refuses') return end('whip');
      isRefusing = true;
      await end('whep');
      await wait(fault.forMs);
      isRefusing = false;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** How many viewers were connected, as the tester's agent sent it: the truth by which the run is judged here. */
function watchViewers(): ReadonlyArray<{ readonly timeMs: number; readonly connected: number }> {
  const seen: Array<{ timeMs: number; connected: number }> = [];
  const take: (this: RecordInbox, raw: unknown, text: string) => void = Reflect.get(RecordInbox.prototype, 'take');
  RecordInbox.prototype.take = function (message, text) {
    const record = agentRecord.safeParse(message);
    const [job] = record.success && record.data.kind === 'sample' ? (record.data.sample.jobs ?? []) : [];
    // The agent runs on this machine: its clock is ours.
    if (job && record.success) seen.push({ timeMs: record.data.timeMs, connected: job.connected });
    take.call(this, message, text);
  };
  return seen;
}

async function main(root: string, { minutes, viewers }: Order): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-outages-bench-'));
  const options = {
    consent: { typed: ['nodes', 'publish', 'pull'] as const },
    agentFolder: join(root, 'build', 'agents'),
    samplesFolder: join(root, 'assets', 'lab'),
    startReader: readersByFork(join(root, 'out', 'cli', 'runReader.js')),
    version: '0.0.0',
  };
  // Not a node of the run, to which its own figures would tell what the front does.
  const lab = await startLocalAgent({
    binary: localAgentBinary(options.agentFolder),
    role: 'lab',
    args: ['--samples', options.samplesFolder],
  });
  const link = await openAgentLink({
    address: () => lab.listening.address,
    token: lab.token,
    who: 'The lab',
    version: options.version,
  });
  const front = await startFront(`http://${link.hello.http ?? ''}`);
  const engine = createEngine({ ...options, runsFolder: join(folder, 'runs') });
  try {
    const seen = watchViewers();
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: planOf(front.base, viewers, minutes * faultEveryMs) });
    await until(engine, ({ phases }) => phases.some(({ name }) => name === 'hold'));
    const holdMs = Date.now();
    const faults: Array<Fault & { readonly atMs: number }> = [];
    for (let minute = 0; minute < minutes; minute += 1) {
      await wait(Math.max(0, holdMs + minute * faultEveryMs + 20_000 - Date.now()));
      const fault = faultOf(minute);
      faults.push({ ...fault, atMs: Date.now() });
      console.error(`${minute + 1} of ${minutes}: ${JSON.stringify(fault)}`);
      await front.apply(fault);
    }
    const view = await done;
    const { verdict, startedMs } = view;
    console.log(
      JSON.stringify({
        ...{ startedMs, viewers, faults, seen },
        verdict: verdict?.verdict,
        sentences: [verdict?.sentence, ...(verdict?.reasons ?? []), ...(verdict?.notes ?? [])],
        outages: outagesResult(view),
        publisherOutages: publisherOutagesResult(view),
      }),
    );
  } finally {
    await engine.shutdown(true);
    front.close();
    link.close();
    await lab.end(undefined, true);
    rmSync(folder, { recursive: true, force: true });
  }
}

function planOf(base: string, viewers: number, holdMs: number): Plan {
  return samplePlan(
    { stream, viewers, ratePerSecond: 50, holdMs, reconnect: true },
    {
      name: 'Outages',
      nodes: {
        origin: { server: 'generic', whep: `${base}/whep/{stream}`, whip: `${base}/whip/{stream}` },
        audience: { tester: 'local' },
      },
      publish: [{ stream, node: 'origin', source: 'sample-240p' }],
    },
  );
}

function until(engine: Engine, fits: (run: RunView) => boolean): Promise<RunView> {
  return new Promise((resolve) => {
    const off = engine.client.on('run', (run) => {
      if (!run || !fits(run)) return;
      off();
      resolve(run);
    });
  });
}

const ended = (engine: Engine): Promise<RunView> => until(engine, ({ state }) => state === 'ended');

const [root = '', order = '{}'] = process.argv.slice(2);
main(root, JSON.parse(order) as Order)
  .then(() => process.exit(0))
  .catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
