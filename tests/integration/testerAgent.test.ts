import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { agentManifest } from '../../src/contract/agentProtocol';
import { planToYaml } from '../../src/domain/plan/planYaml';
import { openRunLibrary } from '../../src/engine/store';
import { waitForNode } from './fleetSupport';
import { startSshd, type Sshd } from './servers/sshd';
import { until } from '../support/until';
import { agentFolder, cleanUp, cli, later, waitForRun, temporaryFolder } from './support';
import { bench, engineWithTester, planFor, play } from './testerSupport';

afterEach(cleanUp);

/** The command line with a run of 5 viewers, in a separate folder. */
function consoleOf(
  sshd: Sshd,
  holdMs: number,
): { readonly child: ChildProcess; readonly folder: string; output(): string } {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'plan.yaml'), planToYaml(planFor(sshd, 5, holdMs)));
  writeFileSync(join(folder, 'known'), sshd.hostKeyLine);
  const listed = execFileSync('ssh-keygen', ['-l', '-f', join(folder, 'known')], { encoding: 'utf8' });
  const fingerprint = /SHA256:\S+/.exec(listed)?.[0] ?? '';
  const child = spawn(
    process.execPath,
    [cli, 'run', 'plan.yaml', '--out', folder, '--accept-host-key', fingerprint, '--allow-hooks'],
    {
      cwd: folder,
      env: { ...process.env, HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  later(() => void child.kill('SIGKILL'));
  let output = '';
  child.stderr.on('data', (text) => (output += String(text)));
  return { child, folder, output: () => output };
}

/** A folder of agents of the same version with different bytes; each call creates another. */
function anotherBuild(): string {
  const folder = temporaryFolder();
  const manifest = agentManifest.parse(JSON.parse(readFileSync(join(agentFolder, 'agents.json'), 'utf8')));
  const other = Object.entries(manifest).map(([platform, built]) => {
    const file = join(folder, built.file);
    mkdirSync(join(file, '..'), { recursive: true });
    copyFileSync(join(agentFolder, built.file), file);
    appendFileSync(file, folder);
    return [platform, { ...built, sha256: createHash('sha256').update(readFileSync(file)).digest('hex') }];
  });
  writeFileSync(join(folder, 'agents.json'), JSON.stringify(Object.fromEntries(other)));
  return folder;
}

const programs = ({ home }: Sshd): string[] =>
  readdirSync(join(home, '.cache', 'fullhouse')).filter((name) => name.startsWith('fullhouse-agent-'));

const agentOf = ({ home }: Sshd): { pid: number; startedMs: number } =>
  JSON.parse(readFileSync(join(home, '.cache', 'fullhouse', 'agent.json'), 'utf8')) as {
    pid: number;
    startedMs: number;
  };

it('keeps another build while it has viewers, and replaces it afterwards', async () => {
  const first = await bench();
  const { sshd } = first;
  const run = first.play(8, 600_000);
  await waitForRun(first.engine, ({ figures }) => figures.connected === 8);
  const { pid } = agentOf(sshd);
  const second = await engineWithTester(sshd, anotherBuild());
  expect(await play(second, sshd)).toMatchObject({ figures: { connectedPeak: 5, failed: 0 } });
  expect(agentOf(sshd).pid).toBe(pid);
  expect(programs(sshd)).toHaveLength(2);
  await first.engine.client.call('runs.stopAll', { force: false });
  expect((await run).figures).toMatchObject({ connectedPeak: 8, connected: 0, failed: 0 });

  const third = await engineWithTester(sshd, anotherBuild());
  expect((await play(third, sshd)).verdict).toMatchObject({ verdict: 'pass' });
  expect(agentOf(sshd).pid).not.toBe(pid);
  expect(programs(sshd)).toHaveLength(1);
});

it('reports in the run that the agent has ended, and restarts it for the next', async () => {
  const { engine, sshd, play } = await bench();
  const run = play(5, 600_000);
  await waitForRun(engine, ({ figures }) => figures.connected === 5);
  process.kill(agentOf(sshd).pid, 'SIGKILL');
  const ended = await run;
  const sentence = 'The agent on tester-1 has ended without a message, as when killed; start again to restart it.';
  expect((await waitForNode(engine, 'tester-1', ({ state }) => state === 'failed')).problem).toBe(sentence);
  expect(engine.events.filter((event) => event.sentence === sentence)).toHaveLength(1);
  expect(ended.verdict?.verdict).not.toBe('pass');
  expect(await play()).toMatchObject({ verdict: { verdict: 'pass' }, figures: { connectedPeak: 5 } });
  expect((await waitForNode(engine, 'tester-1', ({ state }) => state !== 'failed')).problem).toBeUndefined();
});

it('continues with the same agent after the console was killed, and counts no viewer twice', async () => {
  const sshd = await startSshd({ temporaryUser: true });
  later(() => sshd.stop());
  const killed = consoleOf(sshd, 600_000);
  expect(await until(() => killed.output().includes('All 5 viewers connected'), 40_000), killed.output()).toBe(true);
  const before = agentOf(sshd);
  killed.child.kill('SIGKILL');

  const again = consoleOf(sshd, 3000);
  const [code] = (await once(again.child, 'exit')) as [number];
  expect(code, again.output()).toBe(0);
  expect(agentOf(sshd)).toMatchObject(before);
  expect(again.output().match(/tester-1 runs 5 viewers of a console that is no longer connected/g)).toHaveLength(1);
  const library = openRunLibrary(again.folder);
  const reader = library.open(library.list()[0]?.id ?? '');
  later(() => reader.close());
  const { timeMs, value } = reader.values('tester-1', 'viewersConnected');
  expect(Math.max(...value)).toBe(5);
  const gaps = timeMs.slice(1).map((time, index) => time - (timeMs[index] ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(100);
});

it('has nothing of the runs before in a run of another console on the same agent', async () => {
  const sshd = await startSshd({ temporaryUser: true });
  later(() => sshd.stop());
  const first = consoleOf(sshd, 3000);
  expect(((await once(first.child, 'exit')) as [number])[0], first.output()).toBe(0);
  const before = agentOf(sshd);

  const second = consoleOf(sshd, 3000);
  expect(((await once(second.child, 'exit')) as [number])[0], second.output()).toBe(0);
  expect(agentOf(sshd)).toMatchObject(before);
  expect(second.output()).not.toMatch(/another console|no longer connected/);
  const library = openRunLibrary(second.folder);
  const reader = library.open(library.list()[0]?.id ?? '');
  later(() => reader.close());
  const { startedMs } = reader.view();
  expect(reader.events().filter(({ timeMs }) => timeMs < startedMs)).toEqual([]);
  expect(reader.values('tester-1', 'processCpuPercent').timeMs.filter((time) => time < startedMs)).toEqual([]);
});
