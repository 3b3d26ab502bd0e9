import { spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { openRunLibrary } from '../../src/engine/store';
import { startLabOn } from './servers/labOn';
import { startSshd } from './servers/sshd';
import { makeTwoHosts, type Host } from './servers/twoHosts';
import { until } from '../support/until';
import { cleanUp, cli, later, temporaryFolder } from './support';

afterEach(cleanUp);

const cutSeconds = 60;

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** The agent's own count of samples of its job, read on its machine. */
function samplesOfAgent(host: Host, home: string): number {
  const program = readdirSync(home).find((name) => name.startsWith('fullhouse-agent-')) ?? '';
  const asked = spawnSync(join(home, program), ['status', '--state-dir', home], { encoding: 'utf8' });
  const { address, token } = JSON.parse(asked.stdout) as { address: string; token: string };
  const { stdout } = spawnSync(
    'ip',
    ['netns', 'exec', host.namespace, process.execPath, join(__dirname, 'servers', 'askAgent.mjs'), address],
    { encoding: 'utf8', env: { ...process.env, AGENT_TOKEN: token }, timeout: 20_000 },
  );
  return (JSON.parse(stdout) as { samples: number }).samples;
}

it(`keeps every sample of the tester through ${cutSeconds} s without a single packet, and shows unmeasured data as a gap`, async () => {
  const hosts = makeTwoHosts();
  later(() => hosts.remove());
  const sshd = await startSshd({
    temporaryUser: true,
    network: { namespace: hosts.origin.namespace, address: hosts.origin.address },
  });
  later(() => sshd.stop());
  const { http, end: endLab } = await startLabOn(hosts.origin);
  later(endLab);

  const folder = temporaryFolder();
  writeFileSync(join(folder, 'ssh-known'), sshd.hostKeyLine);
  const ssh = `ssh: "${sshd.address}", keyFile: "${sshd.keyFile}"`;
  const plan = `name: Two hosts
nodes:
  origin: { server: generic, whep: "http://${http}/whep/{stream}", whip: "http://${http}/whip/{stream}", ${ssh} }
  tester-1: { tester: ssh, ${ssh} }
publish: [{ stream: cam, node: origin, source: sample-240p, by: tester-1 }]
pull: { stream: cam, from: origin, by: [tester-1], viewers: 40, rate: 40/s, hold: ${cutSeconds + 25}s }
expect: { connected: '>= 100%', degraded: off, cpu: off, gcPause: off }
`;
  writeFileSync(join(folder, 'plan.yaml'), plan);
  const fingerprint = /SHA256:\S+/.exec(
    spawnSync('ssh-keygen', ['-l', '-f', join(folder, 'ssh-known')], { encoding: 'utf8' }).stdout,
  )?.[0];
  const run = hosts.console.spawn(
    [
      process.execPath,
      cli,
      'run',
      'plan.yaml',
      '--json',
      '--out',
      folder,
      '--accept-host-key',
      fingerprint ?? '',
      '--yes',
      '--allow-hooks',
    ],
    { cwd: folder, env: { ...process.env, HOME: folder }, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  later(() => end(run));
  let said = '';
  let printed = '';
  run.stderr?.on('data', (data: Buffer) => (said += data.toString()));
  run.stdout?.on('data', (data: Buffer) => (printed += data.toString()));
  const exited = once(run, 'exit');
  expect(await until(() => /40 of 40|All 40|full house/i.test(said), 40_000), said).toBe(true);
  await until(() => false, 3000);

  const cutMs = Date.now();
  hosts.cut();
  await until(() => false, cutSeconds * 1000);
  hosts.restore();
  const mendedMs = Date.now();
  const [code] = (await exited) as [number];
  expect(code, said).toBe(0);
  expect(JSON.parse(printed.trim().split('\n').pop() ?? '{}')).toMatchObject({
    verdict: 'pass',
    viewers: { requested: 40, connectedPeak: 40, connectedEnd: 40, failed: 0 },
  });

  const library = openRunLibrary(folder);
  const [kept] = library.list();
  const reader = library.open(kept?.id ?? '');
  later(() => reader.close());
  const { batch } = reader.samples(0, Number.MAX_SAFE_INTEGER, 200_000);
  const timesOf = (node: string, series: string): number[] =>
    batch.key.flatMap((key, index) => {
      const of = batch.keys[key];
      return of?.node === node && of.series === series ? [batch.timeMs[index] ?? 0] : [];
    });
  const during = (times: readonly number[]): number => times.filter((time) => time > cutMs && time < mendedMs).length;

  // The agent creates one sample a second by its own clock: none is missing or duplicated.
  const agent = timesOf('tester-1', 'viewersConnected');
  expect(during(agent)).toBeGreaterThanOrEqual(cutSeconds - 1);
  expect(during(agent)).toBeLessThanOrEqual(cutSeconds + 1);
  expect(new Set(agent).size).toBe(agent.length);
  const steps = agent.slice(1).map((time, index) => time - (agent[index] ?? 0));
  expect(Math.max(...steps)).toBeLessThan(1900);
  // Counted on both sides; the agent reports its job for some seconds after the console has released it.
  const there = samplesOfAgent(hosts.origin, join(sshd.home, '.cache', 'fullhouse'));
  expect(there - agent.length).toBeGreaterThanOrEqual(0);
  expect(there - agent.length).toBeLessThanOrEqual(6);
  // /proc is read over the link: a missed poll is a gap.
  const polled = timesOf('tester-1', 'cpuPercent');
  expect(during(polled)).toBeLessThan(5);
  expect(polled.filter((time) => time > mendedMs).length).toBeGreaterThan(3);
  process.stderr.write(
    `Two hosts: the agent created ${there} samples, ${agent.length} are in the run; ${during(agent)} of them and ${during(polled)} of /proc from ${cutSeconds} s without the link.\n`,
  );
}, 240_000);
