import { createServer, type RequestListener } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../../src/engine/base/clock';
import { openHttpLink } from '../../src/engine/links/http/openHttpLink';
import type { HostSample, HostSource } from '../../src/engine/telemetry/hostSource';
import { openNodeExporterHost } from '../../src/engine/telemetry/nodeExporterHost';
import { openPrometheusHost } from '../../src/engine/telemetry/prometheusHost';
import { readPrometheusRange } from '../../src/engine/telemetry/prometheusRange';
import { freePort } from './servers/freePort';
import { startNodeExporter } from './servers/nodeExporter';
import { startPrometheus } from './servers/prometheus';
import { cleanUp, later } from './undo';
import { sleep, until } from '../support/until';

afterEach(cleanUp);

const who = 'origin';

function watch(source: HostSource): { samples: HostSample[]; problems: Array<string | undefined> } {
  later(() => source.close());
  const samples: HostSample[] = [];
  const problems: Array<string | undefined> = [];
  source.onSample((sample) => samples.push(sample));
  source.onProblem((sentence) => problems.push(sentence));
  return { samples, problems };
}
function httpLink() {
  const http = openHttpLink({ who });
  later(() => http.close());
  return http;
}
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}
const hostSeries = [
  'cpuPercent',
  'cpuCorePercent:0',
  'load1',
  'load5',
  'load15',
  'memoryUsedBytes',
  'networkInMbps',
  'networkOutMbps',
  'udpInErrorsPerSecond',
  'udpReceiveBufferErrorsPerSecond',
  'udpSendBufferErrorsPerSecond',
  'socketsUsed',
  'tcpSockets',
  'udpSockets',
] as const;

it('reads a real node_exporter, across a restart', async () => {
  const port = await freePort();
  const exporter = await startNodeExporter(port);
  const source = openNodeExporterHost({ http: httpLink(), url: exporter.url, who, clock: systemClock });
  const { samples, problems } = watch(source);
  expect(await until(() => samples.length >= 3, 20_000)).toBe(true);
  for (const series of hostSeries) expect(samples.at(-1)?.values[series], series).toBeGreaterThanOrEqual(0);
  expect(samples.at(-1)?.values.memoryUsedBytes).toBeGreaterThan(10_000_000);
  expect(source.label).toMatch(/^node_exporter \d+\.\d+/);
  expect(source.machine?.cores).toBeGreaterThan(0);
  expect(source.machine?.system).toMatch(/\w/);
  expect(Math.abs(source.clock?.offsetMs ?? Infinity)).toBeLessThanOrEqual((source.clock?.uncertaintyMs ?? 0) + 2);

  exporter.end();
  expect(await until(() => problems.at(-1) !== undefined, 20_000)).toBe(true);
  expect(problems.at(-1)).toMatch(/^origin/);
  const before = samples.length;
  await startNodeExporter(port);
  expect(await until(() => samples.length >= before + 2, 20_000)).toBe(true);
  expect(samples[before]?.values).not.toHaveProperty('cpuPercent');
  expect(problems.at(-1)).toBeUndefined();
});

it('reads a real Prometheus: each scrape once, missed ones later, and a past range', async () => {
  const exporter = await startNodeExporter();
  const instance = exporter.url.slice('http://'.length);
  const gone = `127.0.0.1:${await freePort()}`;
  const prometheus = await startPrometheus([instance, gone]);
  const http = httpLink();
  const startMs = Date.now();
  const options = { http, url: prometheus.url, who, clock: systemClock };
  const source = openPrometheusHost({
    ...options,
    queries: { 'server:targets_up': 'sum(up)', load5: 'node_load5{instance=$instance} * 0 + 3' },
  });
  const { samples, problems } = watch(source);
  const scrapes = (): HostSample[] => samples.filter(({ values }) => 'cpuPercent' in values);
  expect(await until(() => scrapes().length >= 4, 40_000)).toBe(true);
  const last = scrapes().at(-1);
  for (const series of hostSeries) expect(last?.values[series], series).toBeGreaterThanOrEqual(0);
  const times = scrapes().map(({ timeMs }) => timeMs);
  expect(new Set(times).size).toBe(times.length);
  // Scraped each second: no reading was duplicated or extended.
  times.slice(1).forEach((timeMs, index) => expect(timeMs - (times[index] ?? 0)).toBeGreaterThan(500));
  expect(samples.some(({ values }) => values['server:targets_up'] === 1)).toBe(true);
  expect(samples.some(({ values }) => values.load5 === 3)).toBe(true);
  expect(source.label).toMatch(/^Prometheus \d+\.\d+/);
  expect(source.machine?.cores).toBeGreaterThan(0);

  const range = await readPrometheusRange({
    ...options,
    instance,
    fromMs: startMs,
    toMs: Date.now(),
    stepMs: 1000,
  });
  expect(range.length).toBeGreaterThan(2);
  for (const series of hostSeries)
    expect(
      range.some(({ values }) => (values[series] ?? -1) >= 0),
      series,
    ).toBe(true);
  expect(range.every(({ timeMs }) => timeMs >= startMs && timeMs <= Date.now())).toBe(true);

  const unknown = watch(openPrometheusHost({ ...options, instance: 'nowhere:9100' }));
  expect(await until(() => unknown.problems.length > 0, 20_000)).toBe(true);
  expect(unknown.problems[0]).toContain(`has no node_exporter "nowhere:9100"; available: ${instance}.`);
  expect(problems.filter((sentence) => sentence && !sentence.includes('slowly'))).toEqual([]);
  const broken = watch(openPrometheusHost({ ...options, instance, queries: { load1: 'rate(' } }));
  expect(await until(() => broken.problems.length > 0, 20_000)).toBe(true);
  expect(broken.problems[0]).toMatch(/rejected the query "rate\(": .*parse error/);
});

it('does not query again during a slow response, and reports it', async () => {
  let activeRun = 0;
  let most = 0;
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    activeRun += 1;
    most = Math.max(most, activeRun);
    setTimeout(() => {
      activeRun -= 1;
      response.end('node_load1 1\nnode_load5 1\nnode_load15 1\n');
    }, 2300);
  });
  const { samples, problems } = watch(openNodeExporterHost({ http: httpLink(), url, who, clock: systemClock }));
  expect(await until(() => samples.length >= 2, 20_000)).toBe(true);
  expect(most).toBe(1);
  expect(asked).toBeLessThanOrEqual(samples.length + 1);
  expect(problems).toContain(
    "origin's node_exporter responds slowly: it takes more than a second, so some seconds have no figures.",
  );
});

it.each([
  ['<!doctype html><html>Welcome</html>', /returned a web page instead of Prometheus metrics/],
  ['{"status":"ok"}', /returned JSON instead of Prometheus metrics/],
  ['go_goroutines 8\n', /the metrics at .*\/metrics are not those of a node_exporter/],
])('reports an unexpected server instead of a node_exporter (%#)', async (body, sentence) => {
  const url = await serve((_request, response) => response.end(body));
  const { problems } = watch(openNodeExporterHost({ http: httpLink(), url, who, clock: systemClock }));
  expect(await until(() => problems.length > 0, 10_000)).toBe(true);
  expect(problems[0]).toMatch(sentence);
  await sleep(1100);
  expect(problems.length).toBe(1);
});
