import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { freePort } from './servers/freePort';
import { startNodeExporter } from './servers/nodeExporter';
import { startPrometheus } from './servers/prometheus';
import { until } from '../support/until';
import { cleanUp, cli, later, temporaryFolder } from './support';

afterEach(cleanUp);

interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `fullhouse history` of the last ten minutes, unless `args` override it. */
function history(
  url: string,
  args: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
  onStart?: (pid: number) => void,
): Promise<Said> {
  const nowMs = Date.now();
  const iso = (timeMs: number): string => new Date(timeMs).toISOString();
  const range = ['--from', iso(nowMs - 600_000), '--to', iso(nowMs)];
  const child = spawn(process.execPath, [cli, 'history', '--prometheus', url, ...range, ...args], {
    env: { ...process.env, ...environment },
  });
  later(() => void child.kill('SIGKILL'));
  onStart?.(child.pid ?? 0);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (text) => (stdout += String(text)));
  child.stderr.on('data', (text) => (stderr += String(text)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
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

/** A Prometheus of one host with a constant load of 1; any other query returns nothing. */
function answer(request: IncomingMessage): unknown {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://p');
  if (pathname.endsWith('/values')) return ['h:9100'];
  if (pathname.endsWith('/targets')) return { activeTargets: [] };
  const query = searchParams.get('query') ?? '';
  if (query === 'time()') return { resultType: 'scalar', result: [1, String(Date.now() / 1000)] };
  if (!query.includes('node_load1{')) return { resultType: 'matrix', result: [] };
  const [start = 0, end = 0, step = 1] = ['start', 'end', 'step'].map((name) => Number(searchParams.get(name)));
  const values: Array<[number, string]> = [];
  for (let index = 0; start + index * step <= end + 1e-6; index += 1) values.push([start + index * step, '1']);
  return { resultType: 'matrix', result: [{ metric: {}, values }] };
}

describe('of a real Prometheus and its node_exporter', () => {
  it('is CSV in the columns of a run, to a file or to standard output', async () => {
    const exporter = await startNodeExporter();
    const instance = exporter.url.slice('http://'.length);
    const prometheus = await startPrometheus([instance]);
    const folder = temporaryFolder();
    const out = join(folder, 'host.csv');
    const startMs = Date.now();
    // Rates need a few scrapes.
    let said: Said | undefined;
    for (const endMs = startMs + 40_000; Date.now() < endMs;) {
      said = await history(prometheus.url, ['--step', '1s', '--out', out]);
      if (existsSync(out) && readFileSync(out, 'utf8').includes(',cpuPercent,')) break;
    }
    expect(said).toMatchObject({ code: 0, stdout: '' });
    expect(said?.stderr).toMatch(/\n?\d+ values at \d+ timestamps are in .*host\.csv\.\n$/);
    expect(readdirSync(folder)).toEqual(['host.csv']);
    const [head, ...lines] = readFileSync(out, 'utf8').trimEnd().split('\r\n');
    expect(head).toBe('time,node,series,unit,value');
    const rows = lines.map((line) => line.split(','));
    expect(new Set(rows.map(([, node]) => node))).toEqual(new Set([instance]));
    const series = new Set(rows.map(([, , name]) => name));
    for (const name of ['cpuPercent', 'cpuCorePercent:0', 'load1', 'memoryUsedBytes', 'networkInMbps', 'udpSockets'])
      expect(series, name).toContain(name);
    const times = rows.map(([time = '']) => Date.parse(time));
    expect(times).toEqual([...times].sort((a, b) => a - b));
    // Prometheus returns a value for times after its scrape, never before.
    expect(Math.min(...times)).toBeGreaterThan(startMs - 30_000);
    expect(rows.find(([, , name]) => name === 'cpuPercent')?.[3]).toBe('%');
    expect(rows.every(([, , , , value]) => Number.isFinite(Number(value)))).toBe(true);

    const printed = await history(prometheus.url, ['--instance', instance, '--step', '5s']);
    expect(printed.code).toBe(0);
    expect(printed.stdout.startsWith('time,node,series,unit,value\r\n')).toBe(true);
    expect(printed.stderr).toMatch(/^\d+ values at \d+ timestamps\.\n$/);

    expect(await history(prometheus.url, ['--instance', 'nowhere:9100', '--out', join(folder, 'no.csv')])).toEqual({
      code: 2,
      stdout: '',
      stderr: `nowhere:9100: the Prometheus at ${prometheus.url} has no node_exporter "nowhere:9100"; available: ${instance}.\n`,
    });
    const past = await history(prometheus.url, ['--from', '2020-01-01T00:00Z', '--to', '2020-01-01T01:00Z']);
    expect(past).toMatchObject({ code: 2, stdout: '' });
    expect(past.stderr).toBe(
      `${instance}: the Prometheus at ${prometheus.url} has no data of it from 2020-01-01T00:00:00.000Z to 2020-01-01T01:00:00.000Z; its retention may be shorter, or nothing was measured then.\n`,
    );
    expect(readdirSync(folder)).toEqual(['host.csv']);
    mkdirSync(join(folder, 'folder'));
    const unwritable = await history(prometheus.url, ['--out', join(folder, 'folder')]);
    expect(unwritable.code).toBe(2);
    expect(unwritable.stderr).toMatch(/folder can't be written: .*\n$/);
    expect(readdirSync(folder)).toEqual(['folder', 'host.csv']);
  });
});

describe('in one sentence', () => {
  it('reports no response, or an unexpected server', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`;
    const page = await serve((_, response) => response.end('<html></html>'));
    const several = await serve((_, response) =>
      response.end(JSON.stringify({ status: 'success', data: ['a:9100', 'b:9100'] })),
    );
    for (const [url, sentence] of [
      [gone, /^history: .*127\.0\.0\.1:\d+.*\.\n$/],
      [page, /^history: .*\n$/],
      [several, /^history: the Prometheus at .* has several hosts; choose the instance: a:9100, b:9100\.\n$/],
    ] as const) {
      const { code, stdout, stderr } = await history(url);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(sentence);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    }
  });

  it('authenticates with the password from the environment, and reports a missing one', async () => {
    const seen: Array<string | undefined> = [];
    const url = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end(JSON.stringify({ status: 'success', data: answer(request) }));
    });
    const withUser = url.replace('//', '//qa@');
    const without = await history(withUser, [], { FULLHOUSE_PROMETHEUS_HTTP_PASSWORD: undefined });
    expect(without).toMatchObject({ code: 2, stdout: '' });
    expect(without.stderr).toMatch(/^The Prometheus URL has a user: set the password in/);
    expect(seen).toEqual([]);
    const said = await history(withUser, [], { FULLHOUSE_PROMETHEUS_HTTP_PASSWORD: 'sesame' });
    expect(said.code, said.stderr).toBe(0);
    expect(new Set(seen)).toEqual(new Set([`Basic ${Buffer.from('qa:sesame').toString('base64')}`]));
  });
});

it('reads a long range in intervals, without a gap or duplicate', async () => {
  const url = await serve((request, response) => {
    response.end(JSON.stringify({ status: 'success', data: answer(request) }));
  });
  const { code, stdout } = await history(url, [
    '--from',
    '2026-11-20T00:00Z',
    '--to',
    '2026-11-20T06:00Z',
    '--step',
    '10s',
  ]);
  expect(code).toBe(0);
  const times = stdout
    .trimEnd()
    .split('\r\n')
    .slice(1)
    .map((line) => Date.parse(line.split(',')[0] ?? ''));
  expect(times).toHaveLength(6 * 360 + 1);
  expect(times.slice(1).every((time, index) => time - (times[index] ?? 0) === 10_000)).toBe(true);
});

it('leaves no partial file when it is stopped', async () => {
  const folder = temporaryFolder();
  let asked = 0;
  const url = await serve((request, response) => {
    asked += 1;
    // Slow from the second interval on, when the file exists.
    setTimeout(() => response.end(JSON.stringify({ status: 'success', data: answer(request) })), asked > 25 ? 200 : 0);
  });
  let pid = 0;
  const said = history(
    url,
    ['--from', '2026-11-20T00:00Z', '--to', '2026-11-20T06:00Z', '--step', '1s', '--out', join(folder, 'h.csv')],
    {},
    (started) => (pid = started),
  );
  expect(await until(() => existsSync(join(folder, 'h.csv.part')) && asked > 25, 30_000)).toBe(true);
  process.kill(pid, 'SIGINT');
  expect(await said).toMatchObject({
    code: 130,
    stderr: expect.stringMatching(/Stopped; nothing was written\.\n$/) as string,
  });
  expect(readdirSync(folder)).toEqual([]);
});
