import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runResult } from '../../src/contract/runResult';
import { planToShellCommand, planToYaml } from '../../src/domain/plan/planYaml';
import { openRunLibrary } from '../../src/engine/store';
import { metricsOf, startOtlpReceiver } from '../standins/otlp';
import type { ReceivedHistogram, ReceivedMetric } from '../standins/otlp/received';
import { freePort } from './servers/freePort';
import { cleanUp, cli, later, planOf, temporaryFolder } from './support';

afterEach(cleanUp);

interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command line; `onProgress` receives standard error so far. */
function fullhouse(
  args: readonly string[],
  cwd: string,
  onProgress?: (stderr: string, kill: () => void) => void,
  variables: Readonly<Record<string, string>> = {},
): Promise<Said> {
  const child = spawn(process.execPath, [cli, ...args], { cwd, env: { ...process.env, ...variables } });
  later(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
    onProgress?.(stderr, () => child.kill('SIGINT'));
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

function planFile(folder: string, text: string): string {
  const path = join(folder, 'plan.yaml');
  writeFileSync(path, text);
  return path;
}

describe('the command copied from the window', () => {
  it('runs its plan when pasted into a shell, with any plan name', async () => {
    const folder = temporaryFolder();
    const name = `Max's \`id\` $HOME "load" \\ übung`;
    const pasted = planToShellCommand(planOf({ viewers: 5, ratePerSecond: 20, holdMs: 1000 }, { name }));
    // npx resolves to the bundle of this clone.
    const script = `npx() { shift 2; "$NODE" "$CLI" "$@" --json; }\n${pasted}`;
    const child = spawn('sh', ['-c', script], {
      cwd: folder,
      env: { ...process.env, NODE: process.execPath, CLI: cli },
    });
    later(() => void child.kill('SIGKILL'));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(code, stderr).toBe(0);
    const result = JSON.parse(stdout.trim().split('\n').pop() ?? '') as Record<string, unknown>;
    expect(result).toMatchObject({ viewers: { connectedPeak: 5, failed: 0 } });
    expect(readdirSync(join(folder, 'runs')).some((file) => file.endsWith('.fullhouse'))).toBe(true);
  });

  it('reports an error in a plan from standard input', async () => {
    const child = spawn(process.execPath, [cli, 'run', '-'], { cwd: temporaryFolder() });
    later(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.stdin.end('name: x\npul: {}\n');
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2);
    expect(stderr).toContain('standard input: ');
  });
});

/** The value below which 95 % of a received histogram are, as the specification places them in its buckets. */
function p95Of({ count, scale, positive: { offset, bucketCounts }, max = NaN }: ReceivedHistogram): number {
  const rank = Math.ceil(0.95 * count);
  let passed = 0;
  const place = bucketCounts.findIndex((inBucket) => (passed += inBucket) >= rank);
  const [low, high] = [2 ** ((offset + place) / 2 ** scale), 2 ** ((offset + place + 1) / 2 ** scale)];
  return Math.min(max, (2 * low * high) / (low + high));
}

describe('fullhouse run', () => {
  it('passes, prints one JSON object last, sends its metrics, and its saved run can be shown', async () => {
    const folder = temporaryFolder();
    const plan = planFile(folder, planToYaml(planOf({ holdMs: 3000 })));
    const receiver = await startOtlpReceiver((place, { authorization }) => {
      if (place === 0) return { refused: { status: 503, retryAfterSeconds: 1 } };
      return place === 1 ? { partial: { rejected: 2, message: `not for ${authorization}` } } : {};
    });
    later(() => receiver.close());
    const token = 'ifAnyoneReadsThisItIsNoSecret';
    const { code, stdout, stderr } = await fullhouse(
      ['run', plan, '--json', '--set', 'pull.viewers=20', '--otlp', receiver.url],
      folder,
      undefined,
      {
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${token}`,
        OTEL_METRIC_EXPORT_INTERVAL: '1000',
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=lab',
      },
    );
    const result = JSON.parse(stdout.trim().split('\n').pop() ?? '') as Record<string, unknown>;
    expect(code).toBe(0);
    expect(runResult.parse(result)).toEqual(result);
    expect(result).toMatchObject({
      verdict: 'pass',
      reasons: [],
      expectations: [{ id: 'connected', result: 'met', expected: { value: 100 }, measured: { value: 100, unit: '%' } }],
      viewers: {
        requested: 20,
        connectedPeak: 20,
        connectedEnd: 20,
        failed: 0,
        timeToAllMs: expect.any(Number) as number,
      },
      degraded: { max: expect.any(Number) as number, percentMax: expect.any(Number) as number },
      bitrateMbps: expect.any(Number) as number,
      packetsPerSecond: expect.any(Number) as number,
      agents: [
        {
          node: 'audience',
          cpuPercentAvg: expect.any(Number) as number,
          rssMbMax: expect.any(Number) as number,
        },
      ],
      origin: { cpuPercentMax: expect.any(Number) as number },
      runFile: expect.stringContaining(join(folder, 'runs')) as string,
      report: expect.stringMatching(/\.html$/) as string,
    });

    const { requests, faults } = receiver;
    expect(faults).toEqual([]);
    expect(requests.length).toBeGreaterThan(2);
    expect(requests.every(({ headers }) => headers.authorization === `Bearer ${token}`)).toBe(true);
    // What was refused was sent again.
    expect(requests[1]?.request).toEqual(requests[0]?.request);
    expect(stderr).toContain('OTLP: the receiver rejected 2 values of an export: not for ');
    expect(stderr + stdout).not.toContain(token);
    const library = openRunLibrary(join(folder, 'runs'));
    const run = library.open(basename(String(result['runFile']), '.fullhouse'));
    const view = run.view();
    run.close();
    const last = requests.at(-1)?.request;
    if (!last) throw new Error('Nothing was received.');
    expect(last.resourceMetrics[0]?.resource.attributes).toMatchObject({
      ...{ 'service.name': 'fullhouse', 'deployment.environment.name': 'lab' },
      ...{ 'fullhouse.run.id': view.id, 'fullhouse.run.name': view.name },
    });
    const metric = (name: string): ReceivedMetric | undefined => metricsOf(last).find((metric) => metric.name === name);
    for (const [name, distribution] of [
      ['fullhouse.viewer.connect', 'connectMs'],
      ['fullhouse.viewer.jitter', 'jitterMs'],
      ['fullhouse.viewer.frame_rate', 'frameRate'],
    ] as const) {
      const [point] = metric(name)?.exponentialHistogram?.dataPoints ?? [];
      const own = view.figures.distributions?.find((each) => each.distribution === distribution);
      expect(point, name).toMatchObject({ scale: 6, count: own?.count, min: own?.min, max: own?.max });
      expect(point?.attributes).toEqual({ node: 'audience', role: 'tester', audience: 'WHEP cam' });
      expect(point?.startTimeUnixNano).toBe(String(BigInt(Math.round(view.startedMs)) * 1_000_000n));
      if (point) expect(p95Of(point), name).toBeCloseTo(own?.p95 ?? NaN, 9);
    }
    expect(metric('fullhouse.viewers_failed')?.sum).toMatchObject({ isMonotonic: true });
    expect(metric('fullhouse.cpu')).toMatchObject({ unit: '%', gauge: expect.anything() as object });

    const shown = await fullhouse(['show', String(result['runFile']), '--json'], folder);
    expect(shown.code).toBe(0);
    expect(JSON.parse(shown.stdout)).toEqual({ ...result, report: null });

    const report = await fullhouse(['report', String(result['runFile']), '--out', 'again.html'], folder);
    expect(report).toMatchObject({ code: 0, stdout: `${join(folder, 'again.html')}\n` });
  });

  it('fails when no viewer connects', async () => {
    const folder = temporaryFolder();
    const plan = planFile(folder, planToYaml(planOf({ stream: 'nope', viewers: 3 }, { publish: [] })));
    const unreachable = `http://127.0.0.1:${await freePort()}`;
    const said = await fullhouse(['run', plan, '--otlp', unreachable], folder, undefined, {
      ...{ OTEL_METRIC_EXPORT_INTERVAL: '1000', OTEL_EXPORTER_OTLP_TIMEOUT: '900' },
    });
    expect(said.code).toBe(1);
    const failures = said.stderr.split('\n').filter((line) => line.includes('the connection was refused'));
    expect(failures).toEqual([
      `OTLP: metrics could not be sent to ${unreachable}/v1/metrics: the connection was refused. The run continues; retrying every 1 s.`,
      `OTLP: the last metrics of the run could not be sent to ${unreachable}/v1/metrics: the connection was refused. The saved run contains all of them.`,
    ]);
  });

  it.each([
    ['an unknown key', 'rat: 5/s', /rat/],
    ['a negative number', 'viewers: -3', /viewers/],
    ['a duration without unit', 'hold: 60', /hold/],
  ])('is refused with %s, and names the line', async (_, line, field) => {
    const folder = temporaryFolder();
    const [key = ''] = line.split(':');
    const text = planToYaml(planOf());
    const inline = new RegExp(`\\b${key}: [^,}\\n]+`);
    const changed = inline.test(text) ? text.replace(inline, line) : text.replace(/\brate: /, `${line}, rate: `);
    const plan = planFile(folder, changed);
    const { code, stderr, stdout } = await fullhouse(['run', plan, '--json'], folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(/[Ll]ine \d+/);
    expect(stderr).toMatch(field);
    expect(stdout).toBe('');
  });

  it('is refused with too many viewers for the tester', async () => {
    const folder = temporaryFolder();
    const plan = planFile(folder, planToYaml(planOf({ viewers: 5_000_000 })));
    const { code, stderr } = await fullhouse(['run', plan], folder);
    expect(code).toBe(2);
    expect(stderr).toMatch(/can run at most/);
  });

  it('stops at Ctrl-C and saves the run', async () => {
    const folder = temporaryFolder();
    const plan = planFile(folder, planToYaml(planOf({ holdMs: 600_000 })));
    let stopped = false;
    const { code, stdout, stderr } = await fullhouse(['run', plan, '--json'], folder, (progress, interrupt) => {
      if (stopped || !progress.includes('viewers connected')) return;
      stopped = true;
      interrupt();
    });
    expect(code).toBe(130);
    expect(stderr).toContain('all viewers disconnected, confirmed by origin');
    expect(JSON.parse(stdout)).toMatchObject({ verdict: 'stopped', viewers: { connectedPeak: 50 } });
  });

  it('is checked without it, each fault with file, line and column', async () => {
    const folder = temporaryFolder();
    const text = planToYaml(planOf({ viewers: 5_000_000 })).replace(
      'server: lab',
      'server: srs, url: http://10.0.0.5:99999',
    );
    const plan = planFile(folder, text);
    const found = await fullhouse(['check', plan], folder);
    const line = text.split('\n').findIndex((line) => line.includes('99999')) + 1;
    expect(found.stdout).toContain(`${plan}:${line}:`);
    expect(found.stdout).toMatch(/plan\.yaml:\d+:\d+: The port of "http:\/\/10\.0\.0\.5:99999" must be 1 to 65535\.\n/);
    expect(found.stdout).toMatch(/plan\.yaml:\d+:\d+: audience can run at most [\d,]+ viewers/);
    expect(found.code).toBe(2);

    planFile(folder, text.replace('99999', '1985'));
    const good = await fullhouse(['check', plan, '--set', 'pull.viewers=5', '--json'], folder);
    expect(JSON.parse(good.stdout)).toMatchObject({
      ...{ schemaVersion: 1, faults: [] },
      consent: [{ option: '--yes', sentence: expect.stringContaining('http://10.0.0.5:1985') as string }],
    });
    expect(good.code).toBe(0);
    const typed = await fullhouse(['check', plan, '--set', 'pull.hold=5'], folder);
    expect(typed).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^--set pull\.hold: 5 has no unit\./) as string,
    });
    expect(readdirSync(folder)).toEqual(['plan.yaml']);
  });

  it('is stopped by Ctrl-C while it prepares', async () => {
    const folder = temporaryFolder();
    // The origin is given 3 s to list the stream.
    const plan = planFile(folder, planToYaml(planOf({ stream: 'nope' }, { publish: [] })));
    let stopped = false;
    const { code, stdout } = await fullhouse(['run', plan, '--json'], folder, (progress, interrupt) => {
      if (stopped || !progress.includes('Run started')) return;
      stopped = true;
      interrupt();
    });
    expect(JSON.parse(stdout)).toMatchObject({
      verdict: 'stopped',
      headline: expect.stringMatching(/^Stopped at 00:00:0\d, before the first viewer was started\.$/) as string,
      ended: { kind: 'user' },
      viewers: { connectedPeak: 0 },
      expectations: [{ id: 'connected', result: 'skipped', measured: null }],
    });
    expect(code).toBe(130);
  });

  it('leaves no result of an earlier run, and starts nothing if the new one could not be written', async () => {
    const folder = temporaryFolder();
    const [junit, markdown] = [join(folder, 'ci', 'junit.xml'), join(folder, 'ci.md')];
    writeFileSync(markdown, 'PASS');
    const missing = await fullhouse(['run', 'missing.yaml', '--junit', junit, '--markdown', markdown], folder);
    expect(missing.code).toBe(2);
    for (const file of [junit, markdown]) expect(readFileSync(file, 'utf8')).toContain('missing.yaml does not exist');
    expect(readFileSync(junit, 'utf8')).toContain('errors="1"');
    expect(readFileSync(markdown, 'utf8')).toMatch(/^# missing\.yaml: NOT STARTED\n/);

    const plan = planFile(folder, planToYaml(planOf()));
    const refused = await fullhouse(['run', plan, '--junit', join(markdown, 'junit.xml')], folder);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(/junit\.xml can't be written: .*\. Nothing was started\./);
    expect(existsSync(join(folder, 'runs'))).toBe(false);
  });

  it.runIf(existsSync('/dev/full'))('does not succeed when its output can not be written', async () => {
    const full = openSync('/dev/full', 'w');
    later(() => closeSync(full));
    const child = spawn(process.execPath, [cli, 'schema', 'result'], { stdio: ['ignore', full, 'pipe'] });
    later(() => void child.kill('SIGKILL'));
    let stderr = '';
    child.stderr?.on('data', (chunk) => (stderr += String(chunk)));
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2);
    expect(stderr).toMatch(/The result can't be written to standard output: /);
  });

  it('prints its usage', async () => {
    const folder = temporaryFolder();
    expect((await fullhouse(['--help'], folder)).stdout).toContain('fullhouse run PLAN.yaml');
    expect(await fullhouse(['dance'], folder)).toMatchObject({ code: 2 });
    expect(await fullhouse(['show', 'nothing'], folder)).toMatchObject({ code: 2 });
  });
});
