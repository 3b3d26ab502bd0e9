import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { ImportProgress, RangeRequest } from '../../src/contract/prometheusCalls';
import { nodesOf, type PrometheusFound } from '../../src/domain/plan/importPlan';
import { systemClock } from '../../src/engine/base/clock';
import { SavedRuns } from '../../src/engine/savedRuns/savedRuns';
import { Recorder } from '../../src/engine/savedRuns/writing/recorder';
import { Imports } from '../../src/engine/prometheus/import/imports';
import { openRunLibrary } from '../../src/engine/store';
import { startCuttableProxy } from '../standins/cuttableProxy';
import { freePort } from './servers/freePort';
import { startNodeExporter, type RealProgram } from './servers/nodeExporter';
import { startPrometheus } from './servers/prometheus';
import { cleanUp, engineInTemporaryFolder, later, startReader, temporaryFolder, type TestEngine } from './support';

afterEach(cleanUp);

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Scraped {
  readonly prometheus: RealProgram;
  readonly instance: string;
}

/** A Prometheus that has scraped a node_exporter a few times. */
async function scraped(): Promise<Scraped> {
  const exporter = await startNodeExporter();
  const instance = exporter.url.slice('http://'.length);
  const prometheus = await startPrometheus([instance]);
  for (const endMs = Date.now() + 30_000; Date.now() < endMs; await sleep(200)) {
    const url = `${prometheus.url}/api/v1/query?query=count_over_time(node_load1[1m])`;
    const answer = (await (await fetch(url)).json()) as {
      data: { result: Array<{ value: [number, string] }> };
    };
    if (Number(answer.data.result[0]?.value[1]) >= 4) return { prometheus, instance };
  }
  throw new Error('Prometheus has not scraped its node_exporter often enough.');
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Forwards requests accepted by `isLet` to a Prometheus; the others get no response. */
function before(prometheus: RealProgram, isLet: (path: string) => boolean): Promise<string> {
  return serve((request, response) => {
    const path = request.url ?? '/';
    if (!isLet(path)) return;
    void fetch(`${prometheus.url}${path}`).then(async (answer) => {
      response.writeHead(answer.status, { 'Content-Type': 'application/json' });
      response.end(await answer.text());
    });
  });
}

function wishNodes(found: Pick<PrometheusFound, 'targets'>): RangeRequest['nodes'] {
  return nodesOf(found.targets).map(({ name, role, targets }) => ({ name, role, targets }));
}

/** Calls `at` with every progress message of an import, and resolves with the last. */
function watch(engine: TestEngine, at: (news: ImportProgress) => void = () => undefined): Promise<ImportProgress> {
  return new Promise((resolve) => {
    const off = engine.client.on('prometheusImport', (news) => {
      at(news);
      if (news.state === 'reading') return;
      off();
      resolve(news);
    });
  });
}

describe('A Prometheus that stops responding during an import', () => {
  it('leaves a run that lists the missing range, which can be imported later', async () => {
    const { prometheus } = await scraped();
    const proxy = await startCuttableProxy(prometheus.url.slice('http://'.length));
    later(() => proxy.close());
    const engine = engineInTemporaryFolder();
    const { client } = engine;
    const url = `http://${proxy.address}`;
    const found = await client.call('prometheus.inspect', { prometheus: url });
    const fromMs = Math.floor((found.targets[0]?.firstMs ?? 0) / 1000) * 1000;
    const range = { fromMs, toMs: fromMs + 350_000, stepMs: 100 };

    // Queries have 1,000 timestamps: the first 100 s are imported, then no response follows.
    const ending = watch(engine, (news) => {
      if (news.done === 1) proxy.cut();
    });
    const { id } = await client.call('prometheus.import', {
      ...{ prometheus: url, ...range, nodes: wishNodes(found) },
    });
    const end = await ending;
    expect(end).toMatchObject({ id, state: 'incomplete', run: id });
    const second = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
    expect(end.sentence).toMatch(/^Partly imported: data of the Prometheus at 127\.0\.0\.1:\d+ from /);
    expect(end.sentence).toContain(`from ${second(fromMs + 100_000)} to `);
    expect(end.sentence).toMatch(/; retry to import the rest\.$/);
    const kept = await client.call('runs.open', { run: id });
    expect(kept.run.imported?.missing).toEqual([{ fromMs: fromMs + 100_000, toMs: range.toMs }]);
    expect(kept.run.verdict).toMatchObject({ verdict: 'inconclusive', sentence: end.sentence });
    expect(kept.events.filter(({ mark }) => mark === 'lost').map(({ timeMs }) => timeMs)).toEqual([fromMs + 100_000]);
    const countOf = (run: string): number => {
      const reader = openRunLibrary(engine.folder).open(run);
      const count = reader.summaries().reduce((sum, summary) => sum + summary.count, 0);
      reader.close();
      return count;
    };
    const had = countOf(id);
    expect(had).toBeGreaterThan(100);

    proxy.restore();
    const again = watch(engine);
    const resumed = await client.call('prometheus.resume', { run: id });
    expect(await again).toMatchObject({ id: resumed.id, state: 'done' });
    expect((await client.call('runs.open', { run: resumed.id })).run.imported?.missing).toEqual([]);
    expect(countOf(resumed.id)).toBeGreaterThanOrEqual(had);
    // The partial run is in the trash, replaced by the complete one.
    expect((await client.call('runs.list', {})).map((run) => run.id)).toEqual([resumed.id]);
    await expect(client.call('prometheus.resume', { run: resumed.id })).rejects.toThrow(
      'This run has no missing data that could be imported.',
    );
  });

  it('does so too when it hangs, and a cancelled import leaves nothing', async () => {
    const { prometheus } = await scraped();
    let isHanging = false;
    const url = await before(prometheus, (path) => !isHanging || !path.includes('query_range'));
    const folder = temporaryFolder();
    const sentences: string[] = [];
    const saved = new SavedRuns({ folder, startReader });
    const recorder = new Recorder({
      ...{ folder, startWriter: startReader },
      onProblem: (_, sentence) => sentences.push(sentence),
    });
    later(async () => {
      saved.close();
      await recorder.close();
    });
    const imports = new Imports({
      ...{ recorder, saved, version: '0.1.0', clock: systemClock, timeoutMs: 1500 },
      runsChanged: () => undefined,
    });
    const engine = engineInTemporaryFolder();
    const found = await engine.client.call('prometheus.inspect', { prometheus: url });
    const fromMs = found.targets[0]?.firstMs ?? 0;
    const selection = {
      ...{ prometheus: url, nodes: wishNodes(found) },
      ...{ fromMs, toMs: fromMs + 350_000, stepMs: 100 },
    };
    const news: ImportProgress[] = [];
    imports.progress.on((each) => {
      news.push(each);
      if (each.done === 2) isHanging = true;
    });
    const last = async (): Promise<ImportProgress | undefined> => {
      for (const endMs = Date.now() + 30_000; Date.now() < endMs; await sleep(50))
        if (news.at(-1) && news.at(-1)?.state !== 'reading') return news.at(-1);
      return news.at(-1);
    };
    await imports.start(selection, selection);
    const end = await last();
    expect(end?.state).toBe('incomplete');
    expect(end?.sentence).toMatch(/is missing \(.*did not respond within 1\.5 s.*\); retry to import the rest\.$/);

    isHanging = false;
    news.length = 0;
    const id = await imports.start(selection, selection);
    imports.progress.on((each) => {
      if (each.done === 1) imports.cancel(id);
    });
    expect(await last()).toMatchObject({ state: 'cancelled', sentence: 'Cancelled; nothing was saved.' });
    expect(sentences).toEqual([]);
    expect(
      openRunLibrary(folder)
        .list()
        .map((run) => run.id),
    ).toEqual([end?.run]);
  });
});

describe('In one sentence', () => {
  it('reports that it is no Prometheus, refuses access, or has no data in the range', async () => {
    const { prometheus, instance } = await scraped();
    const engine = engineInTemporaryFolder();
    const { client } = engine;
    const look = (url: string, more: { user?: string; password?: string } = {}): Promise<unknown> =>
      client.call('prometheus.inspect', { prometheus: url, ...more });

    await expect(look(`http://127.0.0.1:${await freePort()}`)).rejects.toThrow(
      /^import: nothing listens at .*; check the port and that the server is running\.$/,
    );
    await expect(look(await serve((_, response) => response.end('<html></html>')))).rejects.toThrow(/^import: .*\.$/);
    await expect(look(`http://${instance}`)).rejects.toThrow(
      /^import: .* returned an HTML page instead of JSON; check the address\.$/,
    );
    await expect(look('ftp://p')).rejects.toThrow(/write it like http:\/\/HOST:9090\.$/);
    await expect(look('http://user:secret@p:9090')).rejects.toThrow(/in their own fields/);

    const guarded = await serve((request, response) => {
      const wanted = `Basic ${Buffer.from('qa:sesame').toString('base64')}`;
      if (request.headers.authorization !== wanted) return response.writeHead(401).end();
      void fetch(`${prometheus.url}${request.url ?? ''}`).then(async (answer) => {
        response.writeHead(answer.status);
        response.end(await answer.text());
      });
    });
    await expect(look(guarded)).rejects.toThrow(/ requires a user and a password\.$/);
    await expect(look(guarded, { user: 'qa', password: 'wrong' })).rejects.toThrow(
      /refused the login of "qa"; check the user and the password\.$/,
    );
    // A working password is saved, a refused one is not.
    expect(await look(guarded, { user: 'qa', password: 'sesame' })).toMatchObject({ hasPassword: true });
    expect(await look(guarded, { user: 'qa' })).toMatchObject({ hasPassword: true });

    const found = await client.call('prometheus.inspect', { prometheus: prometheus.url });
    const nodes = wishNodes(found);
    const long = { prometheus: prometheus.url, nodes };
    const past = Date.UTC(2020, 0, 1);
    const ending = watch(engine);
    await client.call('prometheus.import', { ...long, fromMs: past, toMs: past + 60_000, stepMs: 1000 });
    expect(await ending).toMatchObject({
      state: 'failed',
      sentence: `import: the Prometheus at ${prometheus.url.slice(7)} has no data of these instances from 2020-01-01T00:00:00.000Z to 2020-01-01T00:01:00.000Z.`,
    });
    await expect(client.call('prometheus.import', { ...long, fromMs: past, toMs: past, stepMs: 1000 })).rejects.toThrow(
      'import: the range ends before it starts.',
    );
    await expect(
      client.call('prometheus.import', {
        ...long,
        fromMs: past,
        toMs: past + 86_400_000 * 3000,
        stepMs: 1000,
      }),
    ).rejects.toThrow(
      /^import: that would be 260 million timestamps, and a run holds max 1 million; use a step of .* or longer/,
    );
    await expect(
      client.call('prometheus.import', {
        ...{ ...long, fromMs: past, toMs: past + 60_000, stepMs: 1000 },
        queries: { load1: 'node_load1{' },
      }),
    ).rejects.toThrow(/rejected the query "node_load1\{": .*\.$/);
    expect(await client.call('runs.list', {})).toEqual([]);
  });
});
