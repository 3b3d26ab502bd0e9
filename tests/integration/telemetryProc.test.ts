import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/engine/base/clock';
import type { HostSample } from '../../src/engine/telemetry/hostSource';
import { procScript } from '../../src/engine/telemetry/proc/procScript';
import { tied } from '../../src/engine/telemetry/endWithInput';
import { openSshHost, type SshHost } from '../../src/engine/telemetry/sshHost';
import { localLink, type LocalLink } from './servers/localLink';
import { cleanUp, later } from './undo';
import { until } from '../support/until';

afterEach(cleanUp);

function watch(
  link: LocalLink,
  more: { processName?: string; processPid?: number } = {},
): { host: SshHost; samples: HostSample[]; problems: Array<string | undefined> } {
  const host = openSshHost({ link, who: 'origin', clock: systemClock, ...more });
  later(() => host.close());
  const samples: HostSample[] = [];
  const problems: Array<string | undefined> = [];
  host.onSample((sample) => samples.push(sample));
  host.onProblem((sentence) => problems.push(sentence));
  return { host, samples, problems };
}

/** A waiting process with a unique name among its arguments. */
function waiter(name: string): { pid: number; end: () => void } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', name], { stdio: 'ignore' });
  later(() => void child.kill('SIGKILL'));
  return { pid: child.pid ?? 0, end: () => void child.kill('SIGKILL') };
}

describe.each([
  ['sh', ['sh']],
  ['bash', ['bash', '--posix']],
])('/proc by way of %s', (_name, shell) => {
  it('returns each second of the host, its processes and itself', async () => {
    const name = `fullhouse-waiter-${process.pid}`;
    const { pid } = waiter(name);
    const { host, samples, problems } = watch(localLink(shell), { processName: name });
    expect(await until(() => samples.some(({ values }) => 'processCpuPercent' in values), 20_000)).toBe(true);

    const last = samples.at(-1);
    for (const series of [
      'cpuPercent',
      'cpuCorePercent:0',
      'load1',
      'load15',
      'memoryUsedBytes',
      'networkInMbps',
      'udpReceiveBufferErrorsPerSecond',
      'udpSendBufferErrorsPerSecond',
      'socketsUsed',
      'udpSockets',
      'tcpSockets',
      'processMemoryBytes',
      'processThreads',
      'processOpenFiles',
    ] as const)
      expect(last?.values[series], series).toBeGreaterThanOrEqual(0);
    expect(last?.values.processMemoryBytes).toBeGreaterThan(10_000_000);
    expect(Math.abs((last?.timeMs ?? 0) - Date.now())).toBeLessThan(5000);

    expect(host.machine).toMatchObject({ cores: expect.any(Number) as number });
    expect(host.machine?.memoryBytes).toBeGreaterThan(100_000_000);
    expect(host.machine?.system).toMatch(/\w/);
    // Both clocks are the same here.
    expect(Math.abs(host.clock?.offsetMs ?? Infinity)).toBeLessThanOrEqual((host.clock?.uncertaintyMs ?? 0) + 2);
    expect(host.remark).toBeUndefined();
    // A busy machine may be slow, which must be reported; no other error is allowed.
    expect(problems.filter((sentence) => sentence && !sentence.includes('slowly'))).toEqual([]);
    process.kill(pid, 'SIGKILL');
    expect(await until(() => host.remark !== undefined, 30_000)).toBe(true);
    expect(host.remark).toBe(`No process called "${name}" runs on origin.`);
    expect(samples.at(-1)?.values).not.toHaveProperty('processMemoryBytes');
  });
});

it('has a gap while the connection is cut, and continues automatically', async () => {
  const link = localLink();
  const { samples, problems } = watch(link);
  expect(await until(() => samples.length >= 3, 20_000)).toBe(true);
  link.cut('Connection reset.');
  const before = samples.length;
  await new Promise((resolve) => setTimeout(resolve, 2500));
  expect(samples.length).toBe(before);
  expect(problems).toEqual(['origin: no figures of its host: SSH connection lost. Connection reset.']);
  link.restore();
  expect(await until(() => samples.length >= before + 2, 20_000)).toBe(true);
  expect(samples[before]?.values).not.toHaveProperty('cpuPercent');
  expect(samples[before]?.values).toHaveProperty('load1');
  expect(samples[before + 1]?.values).toHaveProperty('cpuPercent');
  expect(problems.at(-1)).toBeUndefined();
});

it('reports that a host has no /proc, and stops polling', async () => {
  // Output of sh on such a host, from the same script.
  const macOs = procScript.replaceAll('/proc/stat', '/nowhere/stat').replace('$(uname -s)', 'Darwin');
  const link = localLink();
  const follow = link.follow;
  link.follow = (argv, listeners) => follow([...argv.slice(0, 2), macOs], listeners);
  const { samples, problems } = watch(link);
  expect(await until(() => problems.length > 0, 10_000)).toBe(true);
  expect(problems).toEqual([
    "origin runs Darwin, which has no /proc: its host's figures can't be read over SSH. Start a node_exporter there and enter its address.",
  ]);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect([samples.length, link.begun]).toEqual([0, 1]);
});

it('restarts its remote program when it is killed', async () => {
  const link = localLink();
  const { samples, problems } = watch(link);
  expect(await until(() => samples.length >= 2, 20_000)).toBe(true);
  link.endCommands();
  expect(await until(() => samples.length >= 4, 20_000)).toBe(true);
  expect(problems).toContain("origin: the script that reads its host's figures ended and is restarted.");
  expect(problems.at(-1)).toBeUndefined();
  expect(link.begun).toBe(2);
});

describe('a program bound to standard input', () => {
  const run = (command: string) => {
    const child = spawn('sh', ['-c', tied(command)], { stdio: ['pipe', 'pipe', 'inherit'] });
    later(() => void child.kill('SIGKILL'));
    return child;
  };

  it('ends when it is closed', async () => {
    const child = run("sh -c 'echo $$; exec sleep 100'");
    const [received] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(received.toString());
    child.stdin.end();
    await once(child, 'exit');
    expect(await until(() => !existsSync(`/proc/${pid}`), 10_000)).toBe(true);
  });

  it('returns its own exit code, and leaves nothing waiting', async () => {
    const child = run("sh -c 'exit 7'");
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(7);
  });
});

it('ends with its standard input and leaves nothing running', async () => {
  const child = spawn('sh', ['-c', procScript], { stdio: ['pipe', 'pipe', 'inherit'] });
  later(() => void child.kill('SIGKILL'));
  let received = '';
  child.stdout.on('data', (chunk: Buffer) => (received += chunk.toString()));
  child.stdin.write(`sample 1 files ${process.pid}\n`);
  expect(await until(() => received.includes('@end 1'), 10_000)).toBe(true);
  child.stdin.end();
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
});
