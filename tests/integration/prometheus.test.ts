import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { ImportProgress, RangeRequest } from '../../src/contract/prometheusCalls';
import { grafanaDashboard } from '../../src/domain/grafana/dashboard';
import { nodesOf, type FoundNode } from '../../src/domain/plan/importPlan';
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

const plain = (nodes: readonly FoundNode[]): RangeRequest['nodes'] =>
  nodes.map(({ name, role, targets }) => ({ name, role, targets }));

it('scrapes a live run, and the range is imported as a run with the same values', async () => {
  const engine = engineInTemporaryFolder();
  const { client } = engine;
  const { port, address } = await client.call('metrics.start', { port: 0 });
  const exporter = await startNodeExporter();
  const instance = exporter.url.slice('http://'.length);
  const prometheus = await startPrometheus([`127.0.0.1:${port}`, instance]);

  const startedMs = Date.now();
  await client.call('runs.start', { plan: planOf({ viewers: 20, ratePerSecond: 20, holdMs: 20_000 }) });
  const over = waitForRun(engine, (run) => run.state === 'ended');
  const full = await waitForRun(engine, (run) => run.figures.connected === 20);

  // The exported values are the engine's.
  let received: readonly Vector[] = [];
  for (const endMs = Date.now() + 20_000; Date.now() < endMs && received.length === 0;) {
    received = await query(prometheus.url, 'fullhouse_viewers_connected == 20');
    await sleep(200);
  }
  expect(received[0]?.metric).toMatchObject({ node: 'audience', role: 'tester', run: full.id });
  const up = await query(prometheus.url, 'fullhouse_node_up');
  expect(up.map(({ metric }) => `${metric['node']} ${metric['role']}`).sort()).toEqual([
    'audience tester',
    'origin origin',
  ]);
  const cpu = await query(prometheus.url, 'fullhouse_cpu_ratio{node="origin"}');
  expect(Number(cpu[0]?.value[1])).toBeGreaterThan(0);
  expect(Number(cpu[0]?.value[1])).toBeLessThanOrEqual(1);
  const stream = await query(prometheus.url, 'fullhouse_stream_viewers{stream="cam"}');
  expect(stream.map(({ value }) => value[1])).toEqual(['20']);
  // Every query of the dashboard is valid for this Prometheus, and most have a result now.
  const { panels } = dashboard.parse(grafanaDashboard());
  const silent: string[] = [];
  for (const { title, targets } of panels)
    for (const { expr } of targets) {
      const asked = expr.replaceAll('$run', full.id).replaceAll('$node', '.*');
      if ((await query(prometheus.url, asked)).length === 0) silent.push(title);
    }
  // No garbage collection and no new connections now.
  expect(silent.filter((title) => !['GC pause', 'Connect p50'].includes(title))).toEqual([]);
  const text = await (await fetch(address ?? '')).text();
  expect(text).toMatch(/^# TYPE fullhouse_stalls_total counter$/m);
  await over;
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

  const { id } = await client.call('prometheus.import', {
    prometheus: prometheus.url,
    ...{ fromMs: startedMs, toMs: Date.now(), stepMs: 1000 },
    nodes: plain([...ofRun, ...(host ? [host] : [])]),
    name: 'As Prometheus saw it',
  });
  const end = await importEnd(engine, id);
  expect(end).toMatchObject({ state: 'done', run: id });

  const library = openRunLibrary(engine.folder);
  const [made, came] = [library.open(full.id), library.open(id)];
  later(() => {
    made.close();
    came.close();
  });
  const view = came.view();
  expect(view).toMatchObject({
    name: 'As Prometheus saw it',
    state: 'ended',
    imported: { missing: [], stepMs: 1000 },
  });
  expect(view.verdict?.verdict).toBe('inconclusive');
  // Each imported value was measured at most two scrapes before its timestamp.
  for (const [node, series] of [
    ['audience', 'viewersConnected'],
    ['audience', 'mediaInMbps'],
    ['origin', 'cpuPercent'],
    ['origin', 'originViewers'],
    ['audience', 'jitterP95Ms'],
  ] as const) {
    const [own, theirs] = [made.values(node, series), came.values(node, series)];
    expect(theirs.value.length, series).toBeGreaterThan(5);
    theirs.value.forEach((value, index) => {
      const atMs = theirs.timeMs[index] ?? 0;
      const near = own.value.filter((_, each) => Math.abs((own.timeMs[each] ?? 0) - atMs) < 8000);
      expect(
        near.some((each) => Math.abs(each - value) <= 1e-6 * Math.max(1, Math.abs(value))),
        `${series} ${value} of ${near.join(' ')}`,
      ).toBe(true);
    });
  }
  expect(came.values(host?.name ?? '', 'load1').value.length).toBeGreaterThan(5);
  expect(came.values(host?.name ?? '', 'cpuPercent').value.every((value) => value >= 0 && value <= 100)).toBe(true);
});
