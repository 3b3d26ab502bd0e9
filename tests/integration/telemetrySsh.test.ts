import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../src/engine/base/clock';
import { localRunner } from '../../src/engine/iperf/localRunner';
import { measureCapacity } from '../../src/engine/iperf/measureCapacity';
import type { SshLink } from '../../src/engine/links/ssh/sshLink';
import { followGcLog } from '../../src/engine/telemetry/gcLog';
import type { HostSample } from '../../src/engine/telemetry/hostSource';
import { OwnProcesses } from '../../src/engine/telemetry/ownProcesses';
import { parseProcessStat } from '../../src/engine/telemetry/procParse';
import { openSshHost } from '../../src/engine/telemetry/sshHost';
import { freePort } from './servers/freePort';
import { startSshd, type Sshd } from './servers/sshd';
import { sshBench, type SshBench } from './sshSupport';
import { cleanUp, later } from './undo';
import { until } from '../support/until';

let sshd: Sshd;
let bench: SshBench;
let link: SshLink;

beforeAll(async () => {
  sshd = await startSshd({ temporaryUser: true });
  bench = sshBench();
  bench.know(sshd);
  link = await bench.open(sshd, { keyFile: sshd.keyFile });
});
afterEach(cleanUp);
afterAll(async () => {
  link?.close();
  bench?.remove();
  await sshd?.stop();
});

it('reads a host over a real sshd, with a gap while it is cut, and leaves nothing behind', async () => {
  const name = `fullhouse-media-${process.pid}`;
  const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', name], { stdio: 'ignore' });
  later(() => void server.kill('SIGKILL'));
  const host = openSshHost({ link, who: 'origin', clock: systemClock, processName: name });
  later(() => host.close());
  const samples: HostSample[] = [];
  const problems: Array<string | undefined> = [];
  host.onSample((sample) => samples.push(sample));
  host.onProblem((sentence) => problems.push(sentence));

  expect(await until(() => samples.some(({ values }) => 'processCpuPercent' in values), 20_000)).toBe(true);
  const last = samples.at(-1);
  expect(last?.values.cpuPercent).toBeGreaterThanOrEqual(0);
  expect(last?.values.processThreads).toBeGreaterThan(1);
  // Open files of another user are not readable: no figure, not 0.
  if (process.getuid?.() === 0) expect(last?.values).not.toHaveProperty('processOpenFiles');
  expect(Math.abs(host.clock?.offsetMs ?? Infinity)).toBeLessThanOrEqual((host.clock?.uncertaintyMs ?? 0) + 2);

  const before = samples.length;
  sshd.cut();
  expect(await until(() => problems.length > 0, 20_000)).toBe(true);
  expect(problems[0]).toMatch(/^origin: no figures of its host: SSH connection lost\./);
  expect(await until(() => samples.length >= before + 2, 30_000)).toBe(true);
  const again = samples.findIndex(({ values }, index) => index > 0 && !('cpuPercent' in values));
  expect(again).toBeGreaterThan(0);
  expect(samples[again + 1]?.values).toHaveProperty('cpuPercent');
  expect(problems.at(-1)).toBeUndefined();
  const times = samples.map(({ timeMs }) => timeMs);
  expect([...times].sort((a, b) => a - b)).toEqual(times);

  host.close();
  expect(await until(() => !sshd.programs().some((program) => /^(sh|cat|date)$/.test(program)), 10_000)).toBe(true);
});

/** Upper limit, whatever the result of the test. */
const burnSeconds = 40;

/** Keeps one processor busy under a unique name, at normal priority. */
function burner(name: string): number {
  const work = `process.title = ${JSON.stringify(name)};
    try { os.setPriority(0); } catch {}
    const endMs = Date.now() + ${burnSeconds * 1000};
    while (Date.now() < endMs && process.ppid === ${process.pid});`;
  const child = spawn(process.execPath, ['-e', work], { stdio: 'ignore' });
  later(() => void child.kill('SIGKILL'));
  return child.pid ?? 0;
}

/** User and system time of a process so far, from this machine's own /proc. */
function cpuTicksOf(pid: number): number {
  return parseProcessStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.cpuTicks ?? NaN;
}

it('distinguishes server, tester and other programs over a real sshd, and names the largest of the others', async () => {
  const names = { server: `fhs-${process.pid}`, agent: `fha-${process.pid}`, other: `fho-${process.pid}` };
  burner(names.server);
  const agent = burner(names.agent);
  burner(names.other);
  const own = new OwnProcesses();
  const host = openSshHost({
    link,
    who: 'origin',
    clock: systemClock,
    processName: names.server,
    hasServer: true,
    own,
  });
  later(() => host.close());
  const samples: Array<HostSample & { readonly agentTicks: number }> = [];
  host.onSample((sample) => {
    own.set('agent', host.machineKey, [agent]);
    samples.push({ ...sample, agentTicks: cpuTicksOf(agent) });
  });

  const split = () => samples.filter(({ values }) => 'otherCpuPercent' in values && 'processCpuPercent' in values);
  expect(await until(() => split().length >= 5, 25_000)).toBe(true);
  const received = split();
  const mean = (series: 'cpuPercent' | 'otherCpuPercent' | 'processCpuPercent'): number =>
    received.slice(1).reduce((sum, { values }) => sum + (values[series] ?? NaN), 0) / (received.length - 1);
  const [first, last] = [received[0], received.at(-1)];
  const seconds = ((last?.timeMs ?? 0) - (first?.timeMs ?? 0)) / 1000;
  const cores = cpus().length;
  // The kernel counts 100 ticks a second on every current Linux; `getconf CLK_TCK` reports it over SSH.
  const agentPercent = ((last?.agentTicks ?? NaN) - (first?.agentTicks ?? NaN)) / (seconds * cores);
  const serverPercent = mean('processCpuPercent') / cores;
  // Each got a part of one core, however busy the machine is with other tests.
  const atLeastPercent = 5 / cores;
  expect(agentPercent).toBeGreaterThan(atLeastPercent);
  expect(serverPercent).toBeGreaterThan(atLeastPercent);
  expect(mean('otherCpuPercent')).toBeGreaterThan(atLeastPercent);
  // At any load all parts add up, so neither server nor agent is also counted among the others.
  expect(mean('otherCpuPercent') + serverPercent + agentPercent).toBeLessThan(mean('cpuPercent') + 6);
  expect(last?.values.processWaitPercent).toBeGreaterThanOrEqual(0);

  const programs = (await host.programs()).map(({ name }) => name);
  expect(programs).toContain(names.other);
  expect(programs).not.toContain(names.server);
  expect(programs).not.toContain(names.agent);
});

it('follows a GC log over a real sshd and leaves nothing behind', async () => {
  const path = join(sshd.home, "it's a log.txt");
  writeFileSync(path, '[0.1s][info][gc] Using G1\n', { mode: 0o644 });
  const log = followGcLog({ link, path, who: 'origin', clock: systemClock });
  later(() => log.close());
  const pauses: number[] = [];
  const problems: Array<string | undefined> = [];
  log.onPause(({ pauseMs }) => pauses.push(pauseMs));
  log.onProblem((sentence) => problems.push(sentence));
  expect(await until(() => sshd.programs().includes('tail'), 20_000)).toBe(true);
  const line = '[1.0s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 18M->3M(380M) 2.999ms\n';
  const write = setInterval(() => writeFileSync(path, line, { flag: 'a' }), 300);
  later(() => clearInterval(write));
  expect(await until(() => pauses.length > 0, 20_000)).toBe(true);
  expect(pauses[0]).toBe(2.999);
  expect(log.label).toBe('GC log over SSH (G1)');
  expect(problems).toEqual([]);
  log.close();
  expect(await until(() => !sshd.programs().includes('tail'), 10_000)).toBe(true);
});

it('reports the user without permission to read a GC log', async () => {
  const path = join(sshd.home, 'closed.log');
  writeFileSync(path, 'x\n', { mode: 0o600 });
  const log = followGcLog({ link, path, who: 'origin', clock: systemClock });
  later(() => log.close());
  const problems: Array<string | undefined> = [];
  log.onProblem((sentence) => problems.push(sentence));
  expect(await until(() => problems.length > 0, 20_000)).toBe(true);
  expect(problems[0]).toBe(
    `origin: ${sshd.user} has no permission to read ${path}; make the file readable for that user (chmod o+r, or the file's group).`,
  );
});

it('measures to a host over a real sshd, and cleans up when cancelled', async () => {
  const server = {
    who: 'origin',
    run: (...given: Parameters<SshLink['run']>) => link.run(...given),
    follow: (...given: Parameters<SshLink['follow']>) => link.follow(...given),
  };
  const abort = new AbortController();
  const options = {
    server,
    client: localRunner('tester'),
    serverAddress: '127.0.0.1',
    protocol: 'udp',
    direction: 'fromServer',
    bitrateMbps: 20,
    signal: abort.signal,
  } as const;
  const capacity = await measureCapacity({ ...options, port: await freePort(), seconds: 1 });
  expect(capacity.mbps).toBeGreaterThan(5);
  expect(sshd.programs()).not.toContain('iperf3');

  const called = measureCapacity({ ...options, port: await freePort(), seconds: 20 });
  const refused = expect(called).rejects.toMatchObject({ code: 'aborted' });
  expect(await until(() => sshd.programs().includes('iperf3'), 20_000)).toBe(true);
  abort.abort();
  await refused;
  expect(await until(() => !sshd.programs().includes('iperf3'), 10_000)).toBe(true);
});
