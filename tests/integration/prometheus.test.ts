import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { ImportProgress, RangeRequest } from '../../src/contract/prometheusCalls';
import { grafanaDashboard } from '../../src/domain/grafana/dashboard';
import { nodesOf, type FoundNode } from '../../src/domain/plan/importPlan';
import type { SeriesId } from '../../src/domain/series/series';
import { classicBounds } from '../../src/domain/distribution/classicBounds';
import { openRunLibrary } from '../../src/engine/store';
import { startNodeExporter } from './servers/nodeExporter';
import { startPrometheus } from './servers/prometheus';
import { cleanUp, engineInTemporaryFolder, later, planOf, waitForRun, type TestEngine } from './support';

afterEach(cleanUp);

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Vector {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

async function query(url: string, text: string): Promise<readonly Vector[]> {
  const answer = (await (await fetch(`${url}/api/v1/query?query=${encodeURIComponent(text)}`)).json()) as {
    status: string;
    error?: string;
    data?: { result: readonly Vector[] };
  };
  if (answer.status !== 'success') throw new Error(`${text}: ${answer.error ?? ''}`);
  return answer.data?.result ?? [];
}

/** Resolves with the result of the import. */
function importEnd(engine: TestEngine, id: string): Promise<ImportProgress> {
  return new Promise((resolve) => {
    const off = engine.client.on('prometheusImport', (news) => {
      if (news.id !== id || news.state === 'reading') return;
      off();
      resolve(news);
    });
  });
}

const dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
});

/** What a version without histograms exposes. */
async function serveOlderVersion(): Promise<string> {
  const labels = '{node="older",role="tester",run="before"}';
  const server = createServer((_, response) =>
    response.end(`fullhouse_node_up${labels} 1\nfullhouse_connect_p95_seconds${labels} 0.25\n`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const plain = (nodes: readonly FoundNode[]): RangeRequest['nodes'] =>
  nodes.map(({ name, role, targets }) => ({ name, role, targets }));

it('scrapes a live run, and the range is imported as a run with the same values', async () => {
  const engine = engineInTemporaryFolder();
  const { client } = engine;
  const { port, address } = await client.call('metrics.start', { port: 0 });
  const exporter = await startNodeExporter();
  const instance = exporter.url.slice('http://'.length);
  const [prometheus, native] = await Promise.all([
    startPrometheus([`127.0.0.1:${port}`, instance, await serveOlderVersion()]),
    startPrometheus([`127.0.0.1:${port}`], { nativeHistograms: true }),
  ]);

  const startedMs = Date.now();
  // 95 % of 20 is a whole number: rounding decides whether Prometheus takes the value at that rank or the next one.
  const viewers = 21;
  await client.call('runs.start', { plan: planOf({ viewers, ratePerSecond: viewers, holdMs: 20_000 }) });
  const over = waitForRun(engine, (run) => run.state === 'ended');
  const full = await waitForRun(engine, (run) => run.figures.connected === viewers);

  // The exported values are the engine's.
  let received: readonly Vector[] = [];
  for (const endMs = Date.now() + 20_000; Date.now() < endMs && received.length === 0;) {
    received = await query(prometheus.url, `fullhouse_viewers_connected == ${viewers}`);
    await sleep(200);
  }
  expect(received[0]?.metric).toMatchObject({ node: 'audience', role: 'tester', run: full.id });
  const up = await query(prometheus.url, 'fullhouse_node_up{run!="before"}');
  expect(up.map(({ metric }) => `${metric['node']} ${metric['role']}`).sort()).toEqual([
    'audience tester',
    'origin origin',
  ]);
  const cpu = await query(prometheus.url, 'fullhouse_cpu_ratio{node="origin"}');
  expect(Number(cpu[0]?.value[1])).toBeGreaterThan(0);
  expect(Number(cpu[0]?.value[1])).toBeLessThanOrEqual(1);
  const stream = await query(prometheus.url, 'fullhouse_stream_viewers{stream="cam"}');
  expect(stream.map(({ value }) => value[1])).toEqual([String(viewers)]);
  // Every query of the dashboard is valid for this Prometheus, and most have a result now.
  const { panels } = dashboard.parse(grafanaDashboard());
  const silentNow = async (): Promise<string[]> => {
    const silent: string[] = [];
    for (const { title, targets } of panels)
      for (const { expr } of targets) {
        const asked = expr.replaceAll('$run', full.id).replaceAll('$node', '.*').replaceAll('$__rate_interval', '10s');
        for (const { url } of [prometheus, native]) if ((await query(url, asked)).length === 0) silent.push(title);
      }
    return silent.filter((title) => title !== 'GC pause');
  };
  // A rate needs two scrapes.
  let silent = await silentNow();
  for (const endMs = Date.now() + 5000; Date.now() < endMs && silent.length > 0; await sleep(500))
    silent = await silentNow();
  // No garbage collection now.
  expect(silent).toEqual([]);
  const text = await (await fetch(address ?? '')).text();
  expect(text).toMatch(/^# TYPE fullhouse_stalls_total counter$/m);
  // All have connected: the histograms of both contain all of them.
  const connect = 'fullhouse_viewer_connect_seconds';
  const only = async (url: string, text: string): Promise<number> => Number((await query(url, text))[0]?.value[1]);
  expect(await only(prometheus.url, `${connect}_count{audience="WHEP cam"}`)).toBe(viewers);
  expect(await only(native.url, `histogram_count(${connect})`)).toBe(viewers);
  const exact = await only(native.url, `histogram_quantile(0.95, ${connect})`);
  const byClassic = await only(prometheus.url, `histogram_quantile(0.95, ${connect}_bucket)`);
  const own = (await over).figures.distributions?.find(({ distribution }) => distribution === 'connectMs');
  expect(own?.count).toBe(viewers);
  // Where in a bucket of 1.1 % a value is, its error in our figure, and the bounds in seconds.
  expect(Math.abs((exact * 1000) / (own?.p95 ?? NaN) - 1)).toBeLessThan(0.0184);
  expect(byClassic * 1000).toBeGreaterThan((own?.p95 ?? NaN) / 2.6);
  expect(byClassic * 1000).toBeLessThan((own?.p95 ?? NaN) * 2.6);
  // Long enough for the last scrapes, and for the run to disappear from them.
  await sleep(2500);
  expect(await (await fetch(address ?? '')).text()).not.toContain(full.id);

  const found = await client.call('prometheus.inspect', { prometheus: prometheus.url });
  expect(found.version).toMatch(/^2\./);
  const nodes = nodesOf(found.targets);
  const ofRun = nodes.filter(({ targets }) => targets[0]?.labels['run'] === full.id);
  expect(ofRun.map(({ name, role }) => [name, role]).sort()).toEqual([
    ['audience', 'tester'],
    ['origin', 'origin'],
  ]);
  const host = nodes.find(({ targets }) => targets[0]?.family === 'node_exporter');
  expect(host?.targets[0]?.labels).toEqual({ instance, job: 'node' });
  expect(Object.keys(host?.found[0]?.series ?? {})).toContain('cpuPercent');

  const importedFrom = async (url: string, chosen: readonly FoundNode[]): Promise<string> => {
    const { id } = await client.call('prometheus.import', {
      prometheus: url,
      ...{ fromMs: startedMs, toMs: Date.now(), stepMs: 1000 },
      nodes: plain(chosen),
      name: 'As Prometheus saw it',
    });
    const end = await importEnd(engine, id);
    expect(end).toMatchObject({ state: 'done', run: id });
    return id;
  };
  const older = nodes.find(({ name }) => name === 'older');
  const id = await importedFrom(prometheus.url, [...ofRun, ...(host ? [host] : []), ...(older ? [older] : [])]);
  const ofNative = nodesOf((await client.call('prometheus.inspect', { prometheus: native.url })).targets);
  const idOfNative = await importedFrom(
    native.url,
    ofNative.filter(({ name }) => name === 'audience'),
  );

  const library = openRunLibrary(engine.folder);
  const [made, came, cameNative] = [library.open(full.id), library.open(id), library.open(idOfNative)];
  later(() => {
    for (const each of [made, came, cameNative]) each.close();
  });
  const view = came.view();
  expect(view).toMatchObject({
    name: 'As Prometheus saw it',
    state: 'ended',
    imported: { missing: [], stepMs: 1000 },
  });
  expect(view.verdict?.verdict).toBe('inconclusive');
  // Each imported value was measured shortly before its timestamp.
  const nearest = (node: string, series: SeriesId, atMs: number): number[] => {
    const { timeMs, value } = made.values(node, series);
    return [...value].filter((_, each) => Math.abs((timeMs[each] ?? 0) - atMs) < 8000);
  };
  for (const [node, series] of [
    ['audience', 'viewersConnected'],
    ['audience', 'mediaInMbps'],
    ['origin', 'cpuPercent'],
    ['origin', 'originViewers'],
  ] as const) {
    const theirs = came.values(node, series);
    expect(theirs.value.length, series).toBeGreaterThan(5);
    theirs.value.forEach((value, index) => {
      const near = nearest(node, series, theirs.timeMs[index] ?? 0);
      expect(
        near.some((each) => Math.abs(each - value) <= 1e-6 * Math.max(1, Math.abs(value))),
        `${series} ${value} of ${near.join(' ')}`,
      ).toBe(true);
    });
  }
  // A percentile of several seconds is between those of each of them; classic bounds are up to 2.5 apart.
  for (const [reader, error, series, lowestBound] of [
    [cameNative, 1.0184, 'jitterP95Ms', 0],
    [cameNative, 1.0184, 'frameRate', 0],
    // The lowest bucket begins at 0: on a quiet machine all values are in it.
    [came, 2.6, 'jitterP95Ms', classicBounds('ms')[0]?.bound ?? 0],
  ] as const) {
    const theirs = reader.values('audience', series);
    expect(theirs.value.length, series).toBeGreaterThan(5);
    theirs.value.forEach((value, index) => {
      const near = nearest('audience', series, theirs.timeMs[index] ?? 0);
      expect(value, `${series} of ${near.join(' ')}`).toBeGreaterThanOrEqual(Math.min(...near) / error);
      expect(value, `${series} of ${near.join(' ')}`).toBeLessThanOrEqual(
        Math.max(lowestBound, Math.max(...near) * error),
      );
    });
  }
  expect(new Set(came.values('older', 'connectP95Ms').value)).toEqual(new Set([250]));
  expect(came.values(host?.name ?? '', 'load1').value.length).toBeGreaterThan(5);
  expect(came.values(host?.name ?? '', 'cpuPercent').value.every((value) => value >= 0 && value <= 100)).toBe(true);
});
