import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/model/plan';
import { parsePlan, planToYaml } from '../../src/domain/plan/planYaml';
import { systemClock } from '../../src/engine/base/clock';
import { supportsRtmp } from '../../src/engine/servers/rtmpHandshake';
import { resultOf } from '../../src/engine/report/runResult';
import { openRunLibrary } from '../../src/engine/store';
import { certificateMaker } from './servers/certificates';
import { startNginxRtmp, type NginxRtmp } from './servers/nginxRtmp';
import { until } from '../support/until';
import { cleanUp, cli, ended, engineInTemporaryFolder, later, waitForRun, temporaryFolder } from './support';
import { audienceIn } from '../support/pullPlan';

afterEach(cleanUp);

async function served(): Promise<NginxRtmp> {
  const nginx = await startNginxRtmp(temporaryFolder());
  later(() => nginx.end());
  nginx.publish('live/cam', 60);
  return nginx;
}

/** A TLS proxy for a local port, with a certificate trusted by agents started from now on. */
async function overTls(port: number): Promise<number> {
  const certificates = certificateMaker(temporaryFolder());
  const before = process.env['SSL_CERT_FILE'];
  process.env['SSL_CERT_FILE'] = certificates.authorityFile;
  later(() => {
    if (before === undefined) delete process.env['SSL_CERT_FILE'];
    else process.env['SSL_CERT_FILE'] = before;
  });
  const door = createTlsServer(certificates.signed('localhost', 2), (secure) => {
    const plain = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [secure, plain],
      [plain, secure],
    ] as const)
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
    secure.pipe(plain).pipe(secure);
  });
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  later(() => void door.close());
  return (door.address() as AddressInfo).port;
}

/** A plan as written by a user. */
function planText(origin: string, hold = '4s'): string {
  return `name: RTMP by an agent
nodes:
  origin: ${origin}
  audience: { tester: local }
pull: { stream: cam, from: origin, by: [audience], protocol: rtmp, viewers: 20, rate: 20/s, hold: ${hold} }
expect: { connected: ">= 100%", degraded: off, cpu: off, gcPause: off }
`;
}

describe('an agent that pulls over RTMP', () => {
  it('connects all viewers to a real nginx-rtmp, without figures that RTMP lacks', async () => {
    const nginx = await served();
    const engine = engineInTemporaryFolder();
    const read = parsePlan(planText(`{ server: nginx-rtmp, url: "${nginx.url}", rtmp: "${nginx.rtmp}" }`, '8s'));
    const plan = { ...read.plan, pull: { ...audienceIn(read.plan), reconnect: true } };
    const end = ended(engine);
    const full = waitForRun(
      engine,
      ({ figures }) => figures.connected === 20 && figures.originViewers === 20 && figures.mediaInMbps > 1,
    );
    const { run } = await engine.client.call('runs.start', { plan });
    await full;
    const { viewers } = await engine.client.call('runs.viewers', { run, offset: 0, limit: 100 });
    expect(viewers).toHaveLength(20);
    expect(viewers.every(({ lossPercent, jitterMs }) => lossPercent === undefined && jitterMs === undefined)).toBe(
      true,
    );
    // The server closes all connections; the viewers connect again.
    const dropped = await fetch(new URL('/control/drop/subscriber?app=live&name=cam', nginx.url));
    expect(await dropped.text()).toBe('20');

    const view = await end;
    expect(view.verdict).toMatchObject({ verdict: 'pass' });
    expect(view.figures).toMatchObject({ connectedPeak: 20, failed: 0, present: 0 });
    const reader = openRunLibrary(engine.folder).open(run);
    later(() => reader.close());
    expect(Math.max(...reader.values('audience', 'frameRate').value)).toBeGreaterThan(10);
    for (const absent of ['lossPercent', 'jitterP95Ms'] as const)
      expect(reader.values('audience', absent).value, absent).toEqual([]);
    expect(reader.values('audience', 'reconnectsTotal').value.at(-1)).toBe(20);
    expect(reader.values('audience', 'reconnectMs').value).toHaveLength(1);
    expect(reader.events().map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(/^All 20 viewers that lost their connection are connected again, the last one after /),
    );
  }, 60_000);

  it('has a publisher of the plan that nginx-rtmp throws out, and is not a failure of the server', async () => {
    const nginx = await startNginxRtmp(temporaryFolder());
    later(() => nginx.end());
    const engine = engineInTemporaryFolder();
    const read = parsePlan(planText(`{ server: nginx-rtmp, url: "${nginx.url}", rtmp: "${nginx.rtmp}" }`, '30s'));
    const plan: Plan = {
      ...read.plan,
      publish: [{ stream: 'cam', node: 'origin', source: 'sample-240p', by: 'audience' }],
      pull: { ...audienceIn(read.plan), reconnect: true },
    };
    const end = ended(engine);
    await engine.client.call('runs.start', { plan });
    await waitForRun(engine, ({ figures }) => figures.connected === 20 && figures.mediaInMbps > 1);
    const dropped = await fetch(new URL('/control/drop/publisher?app=live&name=cam', nginx.url));
    expect(await dropped.text()).toBe('1');
    const view = await end;
    expect(view.publisherOutages).toHaveLength(1);
    const [outage] = view.publisherOutages ?? [];
    expect((outage?.toMs ?? 0) - (outage?.fromMs ?? 0)).toBeGreaterThan(400);
    expect(outage?.isOriginLost).toBeUndefined();
    // The viewers connect again, so enough remains for a pass, which names the publisher.
    expect(view.verdict?.verdict).toBe('pass');
    expect(view.verdict?.notes?.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(/^The publication of cam to origin by audience was interrupted at .* for [\d.]+ s: /),
    );
  }, 90_000);

  it('pulls with only addresses, over RTMP and HLS at once, on the command line', async () => {
    const nginx = await served();
    expect(await until(async () => (await fetch(nginx.hls.replace('{stream}', 'cam'))).ok)).toBe(true);
    const folder = temporaryFolder();
    const file = join(folder, 'plan.yaml');
    // The real HLS behind what checks the headers of every request, as a CDN does.
    const seen = new Set<string>();
    const guard = createServer((request, response) => {
      const { authorization = '', 'x-viewer': viewer } = request.headers;
      if (authorization !== `Bearer v${String(viewer)}`) return void response.writeHead(403).end();
      seen.add(authorization);
      get(`${new URL(nginx.hls).origin}${request.url ?? ''}`, (from) => {
        response.writeHead(from.statusCode ?? 500, from.headers);
        from.pipe(response);
      });
    });
    await new Promise<void>((resolve) => guard.listen(0, '127.0.0.1', resolve));
    later(() => void guard.close());
    const { port } = guard.address() as AddressInfo;
    const hls = nginx.hls.replace(/^http:\/\/[^/]*/, `http://127.0.0.1:${port}`);
    const { plan } = parsePlan(planText(`{ server: generic, rtmp: "${nginx.rtmp}", hls: "${hls}" }`, '2s'));
    const tokens = { template: 'v{n}' };
    const headers = { Authorization: 'Bearer {token}', 'X-Viewer': '{n}' };
    const also = [{ ...audienceIn(plan), protocol: 'hls' as const, viewers: 10, label: 'by HLS', tokens, headers }];
    writeFileSync(file, planToYaml({ ...plan, also }));
    const child = spawn(process.execPath, [cli, 'run', file, '--json'], { cwd: folder });
    later(() => void child.kill('SIGKILL'));
    let stdout = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    const code = await new Promise((resolve) => child.once('close', resolve));
    const result = JSON.parse(stdout.trim().split('\n').pop() ?? '') as Record<string, unknown>;
    expect(result).toMatchObject({ viewers: { requested: 30, connectedPeak: 30, failed: 0 } });
    expect(code).toBe(0);
    expect(result['audiences']).toMatchObject([
      { name: 'RTMP cam', requested: 20, connectedPeak: 20, failed: 0 },
      { name: 'by HLS', requested: 10, connectedPeak: 10, failed: 0 },
    ]);
    expect(seen.size).toBe(10);
  }, 60_000);

  it('pulls over TLS', async () => {
    const nginx = await served();
    const port = await overTls(nginx.rtmpPort);
    expect(await supportsRtmp('localhost', port, systemClock, 5000, true)).toBe(true);
    expect(await supportsRtmp('localhost', port, systemClock, 500)).toBe(false);
    const engine = engineInTemporaryFolder();
    const { plan } = parsePlan(planText(`{ server: generic, rtmp: "rtmps://localhost:${port}/live/{stream}" }`, '2s'));
    const end = ended(engine);
    await engine.client.call('runs.start', { plan });
    expect((await end).verdict).toMatchObject({ verdict: 'pass' });
  }, 60_000);

  it('reports a missing address', async () => {
    const engine = engineInTemporaryFolder();
    const { plan } = parsePlan(planText('{ server: lab }'));
    const started = engine.client.call('runs.start', {
      plan: { ...plan, publish: [{ stream: 'cam', node: 'origin', source: 'sample-240p' }] },
    });
    await expect(started).rejects.toThrow('"origin" can\'t be pulled from over RTMP (possible: WHEP)');
  }, 60_000);
});

describe('publishers alone over RTMP', () => {
  const plan = (origin: string, hold: string): Plan =>
    parsePlan(`name: RTMP ingest
nodes:
  origin: ${origin}
  load: { tester: local }
publish: [{ stream: cam, node: origin, source: sample-240p, by: load, publishers: 12, rate: 10/s, hold: ${hold}, protocol: rtmp }]
expect: { connected: ">= 100%", outages: "<= 30s", cpu: off, gcPause: off }
`).plan;

  it('are held at a real nginx-rtmp, and one that it throws out is an outage', async () => {
    const nginx = await startNginxRtmp(temporaryFolder());
    later(() => nginx.end());
    const engine = engineInTemporaryFolder();
    const end = ended(engine);
    const full = waitForRun(engine, ({ figures }) => figures.connected === 12);
    const origin = `{ server: nginx-rtmp, url: "${nginx.url}", rtmp: "${nginx.rtmp}" }`;
    const { run } = await engine.client.call('runs.start', { plan: plan(origin, '10s') });
    await full;
    const served = await (await fetch(nginx.url)).text();
    expect(served.match(/<name>cam-\d+<\/name>/g)).toHaveLength(12);
    const dropped = await fetch(new URL('/control/drop/publisher?app=live&name=cam-7', nginx.url));
    expect(await dropped.text()).toBe('1');

    const view = await end;
    expect(view.publisherOutages).toMatchObject([{ stream: 'cam', by: 'load', publishers: { lost: 1, of: 12 } }]);
    // It publishes again.
    expect(view.publisherOutages?.[0]?.toMs).toBeDefined();
    expect(view.verdict).toMatchObject({ verdict: 'pass', outages: { count: 1 } });
    expect(view.verdict?.sentence).toMatch(/^All 12 publishers connected .* all expectations met, with 1 outage of /);
    const reader = openRunLibrary(engine.folder).open(run);
    later(() => reader.close());
    expect(Math.max(...reader.values('load', 'publishersLive').value)).toBe(12);
    const left = await (await fetch(nginx.url)).text();
    expect(left).not.toMatch(/<name>cam-\d+<\/name>/);
  }, 90_000);

  it('are searched for the number at which a real nginx-rtmp accepts no more connections', async () => {
    const nginx = await startNginxRtmp(temporaryFolder(), { maxConnections: 11 });
    later(() => nginx.end());
    const engine = engineInTemporaryFolder();
    const end = waitForRun(engine, ({ state }) => state === 'ended', 110_000);
    const origin = `{ server: nginx-rtmp, url: "${nginx.url}", rtmp: "${nginx.rtmp}" }`;
    const search = '{ from: 8, max: 16, settle: 2s, measure: 2s, repeats: 1, precision: 40% }';
    const searching = parsePlan(`name: RTMP ingest, limit
nodes:
  origin: ${origin}
  load: { tester: local }
publish: [{ stream: cam, node: origin, source: sample-240p, by: load, rate: 20/s, protocol: rtmp, search: ${search} }]
expect: { connected: ">= 100%", cpu: off, gcPause: off }
`).plan;
    expect(parsePlan(planToYaml(searching)).plan).toEqual(searching);
    const { run } = await engine.client.call('runs.start', { plan: searching });
    const view = await end;
    const { limit } = view;
    expect(limit, JSON.stringify(limit)).toMatchObject({ state: 'found', clients: 'publishers' });
    expect(limit?.maxMet).toBeLessThanOrEqual(11);
    expect(limit?.minMissed).toBeGreaterThanOrEqual(12);
    const missed = limit?.trials.filter(({ result }) => result === 'missed') ?? [];
    for (const { sentence } of missed)
      expect(sentence).toMatch(/^\d+ of \d+ publishers were connected.* Most failed: /);
    expect(view.verdict).toMatchObject({ verdict: 'pass' });
    expect(view.verdict?.sentence).toMatch(/^Limit: \d+ \+- \d+ publishers?, 1 repeat; /);
    // On a busy machine its CPU may be named correctly.
    expect(['origin-sockets', 'origin-refuses', 'origin-cpu']).toContain(limit?.bottleneck?.what);
    expect(view.published).toMatchObject([{ stream: 'cam', by: 'load', livePeak: 11 }]);
    expect(view.figures).toMatchObject({ connectedPeak: 11, present: 0 });
    const sentences = engine.events.map(({ sentence }) => sentence);
    expect(sentences).toContain('Run started: limit search of cam to origin on load, from 8 to max 16 publishers');
    expect(sentences).toContain('Limit search: trying 16 publishers');
    expect(sentences.filter((sentence) => /viewer/.test(sentence))).toEqual([]);
    const reader = openRunLibrary(engine.folder).open(run);
    later(() => reader.close());
    expect(resultOf(reader, 'run', null).limit).toEqual(limit);
    expect(await (await fetch(nginx.url)).text()).not.toMatch(/<name>cam-\d+<\/name>/);
  }, 120_000);

  it('that a server refuses fail the run, with its reason', async () => {
    // Nothing listens for streams on the port of the stat page.
    const nginx = await startNginxRtmp(temporaryFolder());
    later(() => nginx.end());
    const { port } = new URL(nginx.url);
    const engine = engineInTemporaryFolder();
    const end = ended(engine);
    await engine.client.call('runs.start', {
      plan: plan(`{ server: generic, rtmp: "rtmp://127.0.0.1:${port}/live/{stream}" }`, '10s'),
    });
    const view = await end;
    expect(view.verdict?.verdict).toBe('fail');
    expect(view.verdict?.sentence).toMatch(
      /^0 of 12 publishers connected, fewer than expected\. \d+ publishers failed: .*127\.0\.0\.1/,
    );
    expect(view.published?.[0]?.problems?.length).toBeGreaterThan(0);
  }, 90_000);
});
