import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/model/plan';
import type { PreflightProgress } from '../../src/domain/preflight/progress';
import type { PreflightReport, PreflightResult } from '../../src/domain/model/preflightReport';
import { openRunLibrary } from '../../src/engine/store';
import { startNginxRtmp } from './servers/nginxRtmp';
import { startSshd, type Sshd } from './servers/sshd';
import { startWcsHost } from './servers/wcsHost';
import { sshBench } from './sshSupport';
import { standin } from './wcsSupport';
import { until } from '../support/until';
import { cleanUp, ended, engineInTemporaryFolder, later, planOf, temporaryFolder, type TestEngine } from './support';

afterEach(cleanUp);

function engineWithTester(sshd: Sshd, rulesFolder?: string): TestEngine {
  const bench = sshBench();
  later(() => bench.remove());
  bench.know(sshd);
  return engineInTemporaryFolder({ sshFolder: bench.sshFolder, ...(rulesFolder ? { rulesFolder } : {}) });
}

const look = (engine: TestEngine, plan: Plan): Promise<PreflightReport> =>
  engine.client.call('preflight.run', { id: 'look', plan });

function results(report: PreflightReport, node: string): Record<string, PreflightResult> {
  return Object.fromEntries(
    report.findings.filter((finding) => finding.node === node).map(({ rule, result }) => [rule, result]),
  );
}

it('reports wrong settings of a host over a real sshd, and passes after the fixes are applied', async () => {
  const host = await startWcsHost();
  const wcs = await standin();
  const engine = engineWithTester(host.sshd);
  const { address, keyFile } = host.sshd;
  const plan = planOf(
    { viewers: 1000, ratePerSecond: 10 },
    {
      nodes: {
        origin: { server: 'wcs', url: wcs.url, ssh: address, keyFile },
        audience: { tester: 'local' },
      },
    },
  );
  const received: PreflightProgress[] = [];
  engine.client.on('preflight', (news) => received.push(news));
  const before = await look(engine, plan);
  expect(results(before, 'origin')).toMatchObject({
    'wcs.media-ports': 'fail',
    'wcs.media-ports-own': 'pass',
    'wcs.media-ports-free': 'pass',
    'wcs.rtp-bundle': 'warn',
    'wcs.subgroups': 'fail',
    'wcs.subgroup-sizes': 'warn',
    'wcs.subgroup-queues': 'warn',
    'wcs.activity-timer': 'fail',
    'wcs.bandwidth-check': 'warn',
    'wcs.aes-provider': 'fail',
    'wcs.jvm-aes': 'fail',
    'wcs.zgc': 'fail',
    'wcs.old-gc': 'fail',
    'wcs.gc-log': 'warn',
    'wcs.error-file': 'warn',
    'wcs.heap': 'fail',
    'wcs.huge-pages': 'pass',
    'kernel.udp-receive-buffer': 'fail',
    'kernel.udp-send-buffer': 'fail',
    'kernel.server-files': 'fail',
    'kernel.tx-queue': 'warn',
    'host.memory': 'pass',
    'host.aes': 'pass',
  });
  expect(received.some(({ nodes }) => nodes.some(({ state }) => state === 'reading'))).toBe(true);
  expect(received.at(-1)).toMatchObject({ state: 'done', report: before });
  const ports = before.findings.find(({ rule }) => rule === 'wcs.media-ports');
  expect(ports?.sentence).toBe(
    'Media ports are not set (default 31001 to 32000) on origin, enough for 249 sessions; this plan needs 1,001.',
  );

  const applyFixes = (report: PreflightReport, skip: readonly string[]): void => {
    for (const { node, rule, result, fix } of report.findings)
      if (node === 'origin' && fix && (result === 'fail' || result === 'warn') && !skip.includes(rule))
        host.applyFix(fix);
  };
  // Load and past drops of this machine cannot be fixed by a setting.
  const machine = ['host.load', 'host.disk', 'host.clock', 'kernel.udp-drops', 'kernel.softirq', 'kernel.cpu-governor'];
  applyFixes(before, [...machine, 'wcs.media-ports-own']);
  // Large pages are enabled only now, which the next check reads.
  const between = await look(engine, plan);
  expect(between.findings.find(({ rule }) => rule === 'wcs.huge-pages')).toMatchObject({
    result: 'fail',
    sentence: '0 huge pages are reserved on origin; a heap of 16 GiB needs 9,216 (18 GiB).',
    fix: 'echo 9216 | sudo tee /sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages\necho vm.nr_hugepages=9216 | sudo tee /etc/sysctl.d/90-hugepages.conf',
  });
  applyFixes(between, machine);
  const after = await look(engine, plan);
  const left = after.findings.filter(
    ({ node, rule, result }) =>
      node === 'origin' && result !== 'pass' && !machine.includes(rule) && rule !== 'host.nic-speed',
  );
  // This JDK is newer than those tested by the vendor, which remains a warning.
  expect(left.map(({ rule, sentence }) => `${rule}: ${sentence}`)).toEqual([
    expect.stringMatching(/^wcs\.jdk: The JDK of origin is 17/),
  ]);
});

it('reports for each rule why it could not be read, and the cause', async () => {
  const sshd = await startSshd({ temporaryUser: true });
  later(() => sshd.stop());
  const conf = temporaryFolder();
  writeFileSync(join(conf, 'flashphoner.properties'), 'media_port_from=20001\n', { mode: 0o600 });
  chmodSync(conf, 0o755);
  const engine = engineWithTester(sshd);
  const settings = { ssh: sshd.address, keyFile: sshd.keyFile, config: conf };
  const report = await look(
    engine,
    planOf(
      { by: ['audience', 'far'] },
      {
        nodes: {
          origin: { server: 'wcs', url: 'http://127.0.0.1:1', ...settings },
          audience: { tester: 'local' },
          far: { tester: 'wcs', url: 'http://240.0.0.1:8081' },
        },
      },
    ),
  );
  const sentence = (node: string, rule: string): string | undefined =>
    report.findings.find((finding) => finding.node === node && finding.rule === rule)?.sentence;
  expect(sentence('origin', 'wcs.media-ports')).toBe(
    `The account used on origin has no permission to read ${conf}/flashphoner.properties.`,
  );
  expect(sentence('origin', 'wcs.heap')).toBe(
    `${conf}/wcs-core.properties does not exist on origin, or its folder can't be read.`,
  );
  expect(results(report, 'origin')['host.memory']).toBe('pass');
  const far = report.findings.filter(({ node }) => node === 'far');
  // Rules that need no access to the host are still judged.
  expect(far.filter(({ result }) => result !== 'unread').map(({ rule }) => rule)).toEqual([
    'tester.wcs-pulls',
    'tester.shared-host',
  ]);
  expect(far[0]?.sentence).toMatch(/^far has no SSH address/);
});

it('ends a cancelled check, even if the host stopped responding', async () => {
  const sshd = await startSshd({ temporaryUser: true });
  later(() => sshd.stop());
  const engine = engineWithTester(sshd);
  const plan = planOf(
    {},
    {
      nodes: {
        origin: { server: 'srs', url: 'http://127.0.0.1:1', ssh: sshd.address, keyFile: sshd.keyFile },
        audience: { tester: 'local' },
      },
    },
  );
  await look(engine, plan);
  sshd.freeze();
  later(() => sshd.thaw());
  const states: string[] = [];
  engine.client.on('preflight', ({ state, nodes }) =>
    states.push(`${state} ${nodes.map(({ state: each }) => each).join(' ')}`),
  );
  const called = look(engine, plan);
  const refused = expect(called).rejects.toMatchObject({
    code: 'cancelled',
    message: 'The preflight was cancelled.',
  });
  expect(
    await until(() => states.includes('running reading judged') || states.includes('running reading reading'), 20_000),
  ).toBe(true);
  await expect(look(engine, plan)).rejects.toMatchObject({ code: 'busy' });
  await engine.client.call('preflight.cancel', { id: 'look' });
  await refused;
  expect(states.at(-1)).toMatch(/^cancelled/);
});

it('reads the configuration of a real nginx, before and after a fix, with a custom rule', async () => {
  const rules = temporaryFolder();
  writeFileSync(
    join(rules, 'backlog.yaml'),
    `- id: hls-fragment
  title: HLS fragment
  why: Short fragments make many requests.
  read: { config: nginx.conf, line: listen }
  expect: "== nothing of the kind"
  otherwise: fail
  server: nginx-rtmp
  source: Our runbook
`,
  );
  const folder = temporaryFolder();
  const nginx = await startNginxRtmp(folder);
  later(() => nginx.end());
  const engine = engineInTemporaryFolder({ rulesFolder: rules });
  const config = join(folder, 'nginx.conf');
  const plan = planOf(
    { protocol: 'rtmp', viewers: 1000 },
    {
      nodes: { origin: { server: 'nginx-rtmp', url: nginx.url, config }, audience: { tester: 'local' } },
    },
  );
  const before = results(await look(engine, plan), 'origin');
  expect(before).toMatchObject({
    'nginx.worker-connections': 'fail',
    'nginx.chunk-size': 'pass',
    'nginx.workers': 'pass',
    'own.hls-fragment': 'fail',
  });
  const text = readFileSync(config, 'utf8');
  writeFileSync(
    config,
    text.replace('worker_connections 1000', 'worker_connections 10240').replace('chunk_size 4096', 'chunk_size 128'),
  );
  const after = results(await look(engine, plan), 'origin');
  expect(after).toMatchObject({ 'nginx.worker-connections': 'pass', 'nginx.chunk-size': 'warn' });
});

it('is saved in the next run with the same nodes, and in no other', async () => {
  const engine = engineInTemporaryFolder();
  const plan = planOf({ viewers: 5, ratePerSecond: 5, holdMs: 1500 });
  const report = await look(engine, plan);
  expect(report.findings.find(({ rule }) => rule === 'tester.shared-host')?.result).toBe('warn');
  const over = ended(engine);
  await engine.client.call('runs.start', { plan });
  const run = await over;
  expect(run.preflight).toEqual(report);
  const path = join(engine.folder, 'report.html');
  await engine.client.call('runs.export', { run: run.id, kind: 'html', path });
  expect(readFileSync(path, 'utf8')).toContain('run on the same machine');
  const reader = openRunLibrary(engine.folder).open(run.id);
  later(() => reader.close());
  expect(reader.view().preflight).toEqual(report);

  const next = ended(engine);
  await engine.client.call('runs.start', { plan: planOf({ viewers: 6, ratePerSecond: 6, holdMs: 1000 }) });
  expect((await next).preflight).toBeUndefined();
});
