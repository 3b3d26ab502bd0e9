import { spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parsePlan } from '../../src/domain/plan/planYaml';
import { until } from '../support/until';
import { cleanUp, cli, engineInTemporaryFolder, later, temporaryFolder } from './support';

afterEach(cleanUp);

interface Canary {
  readonly port: number;
  /** Connections so far. */
  count: number;
}

/** Counts connections, and answers none. */
async function canary(): Promise<Canary> {
  const found: { port: number; count: number } = { port: 0, count: 0 };
  const server: Server = createServer((socket) => {
    found.count += 1;
    socket.destroy();
  });
  later(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, resolve));
  found.port = (server.address() as { port: number }).port;
  return found;
}

interface Foreign {
  readonly folder: string;
  readonly plan: string;
  readonly yaml: string;
  readonly server: Canary;
  readonly ranFile: string;
}

/** A plan of a stranger: a program in a kubeconfig, a file that becomes tokens, and addresses of this machine's network. */
async function foreignPlan(): Promise<Foreign> {
  const folder = temporaryFolder();
  const server = await canary();
  const ranFile = join(folder, 'ran');
  const program = join(folder, 'plugin.sh');
  writeFileSync(program, `#!/bin/sh\ntouch '${ranFile}'\necho none\n`);
  chmodSync(program, 0o755);
  writeFileSync(
    join(folder, 'kc.yaml'),
    `apiVersion: v1
kind: Config
current-context: eks
clusters: [{ name: eks, cluster: { server: 'https://0.0.0.0:${server.port}' } }]
contexts: [{ name: eks, context: { cluster: eks, user: u } }]
users: [{ name: u, user: { exec: { apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh } } }]
`,
  );
  writeFileSync(join(folder, 'id_ed25519'), 'line one\nline two\n');
  // This machine by an address that is not loopback's.
  const yaml = `name: From elsewhere
nodes:
  origin: { server: generic, whep: 'http://0.0.0.0:${server.port}/{stream}', url: 'http://0.0.0.0:${server.port}' }
  pods: { tester: kubernetes, replicas: 2, image: localhost/agent:1, kubeconfig: '${join(folder, 'kc.yaml')}' }
  host: { tester: ssh, ssh: 'qa@0.0.0.0:${server.port}' }
publish: [{ stream: cam, node: origin, source: external }]
pull: { stream: cam, from: origin, by: [pods, host], viewers: 10, rate: 10/s, hold: 1s, tokens: { file: '${join(folder, 'id_ed25519')}' } }
hooks: [{ at: start, run: [touch, '${ranFile}'] }]
`;
  const plan = join(folder, 'plan.yaml');
  writeFileSync(plan, yaml);
  return { folder, plan, yaml, server, ranFile };
}

function fullhouse(folder: string, args: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const child = spawn(process.execPath, [cli, ...args], {
    ...{ cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    env: { ...process.env, HOME: folder },
  });
  later(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })));
}

const commands: ReadonlyArray<readonly [string, (plan: string) => string[]]> = [
  ['run', (plan) => ['run', plan]],
  ['ci', (plan) => ['ci', plan]],
  ['preflight', (plan) => ['preflight', plan]],
  ['estimate', (plan) => ['estimate', '--plan', plan, '--max', '10']],
];

describe.each(commands)("a stranger's plan in fullhouse %s", (_, args) => {
  it('starts no program, sends no file and contacts nothing before the person has allowed it', async () => {
    const { folder, plan, server, ranFile } = await foreignPlan();
    const refused = await fullhouse(folder, args(plan));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('add --allow-hooks');
    expect(refused.stderr).toMatch(/nodes\.pods\.kubeconfig: run ".*plugin\.sh" on this machine/);
    expect(refused.stderr).toMatch(/nodes\.pods: create 2 pods of the image .* of the cluster https:\/\/0\.0\.0\.0/);
    // What an inspection of the nodes does not do is not asked for, nor what a calibration leaves out.
    for (const text of [/tokens\.file: send each line of ".*id_ed25519"/, /hooks\.0\.run: at start: run "touch"/])
      if (args('')[0] === 'preflight' || args('')[0] === 'estimate') expect(refused.stderr).not.toMatch(text);
      else expect(refused.stderr).toMatch(text);

    const unknown = await fullhouse(folder, [...args(plan), '--allow-hooks']);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain(
      `origin (http://0.0.0.0:${server.port}); host (ssh://qa@0.0.0.0:${server.port}). To allow them, add --yes.`,
    );
    const addressesOnly = await fullhouse(folder, [...args(plan), '--yes']);
    expect(addressesOnly.code).toBe(2);
    expect(server.count).toBe(0);
    expect(existsSync(ranFile)).toBe(false);
  });
});

it('does what the person has allowed', async () => {
  const { folder, plan, server, ranFile } = await foreignPlan();
  await fullhouse(folder, ['preflight', plan, '--yes', '--allow-hooks']);
  expect(server.count).toBeGreaterThan(0);
  expect(existsSync(ranFile)).toBe(true);
});

it('addresses that were typed, and those of this machine, need no consent', async () => {
  const { folder, server } = await foreignPlan();
  const plan = join(folder, 'typed.yaml');
  writeFileSync(
    plan,
    `name: Own
nodes: { origin: { server: generic, whep: 'http://127.0.0.1:${server.port}/{stream}' }, host: { tester: ssh, ssh: x } }
pull: { stream: cam, from: origin, by: [host], viewers: 1, rate: 1/s, hold: 1s }
`,
  );
  const typed = ['--set', `nodes.host.ssh=qa@0.0.0.0:${server.port}`, '--set', 'nodes.host.keyFile=/nowhere'];
  expect((await fullhouse(folder, ['preflight', plan])).stderr).toContain('host (ssh://x). To allow them, add --yes.');
  expect(server.count).toBe(0);
  expect((await fullhouse(folder, ['preflight', plan, ...typed])).stderr).not.toContain('--yes');
  expect(server.count).toBeGreaterThan(0);
});

it('on a terminal the new addresses are listed once, and known after a yes', async () => {
  const { folder, server } = await foreignPlan();
  const plan = join(folder, 'asked.yaml');
  writeFileSync(
    plan,
    `name: Asked
nodes: { origin: { server: srs, url: 'http://0.0.0.0:${server.port}' }, tester: { tester: local } }
pull: { stream: cam, from: origin, by: [tester], viewers: 1, rate: 1/s, hold: 1s }
`,
  );
  const onTerminal = (answer: string): Promise<string> => {
    const command = `${process.execPath} ${cli} preflight ${plan}`;
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      cwd: folder,
      env: { ...process.env, HOME: folder },
    });
    later(() => void child.kill('SIGKILL'));
    let shown = '';
    child.stdout.on('data', (chunk) => {
      const wasAsked = shown.includes('[y/N]');
      shown += String(chunk);
      if (!wasAsked && shown.includes('[y/N]')) child.stdin.write(answer);
    });
    return new Promise((resolve) => child.once('close', () => resolve(shown)));
  };
  const known = join(folder, '.config', 'fullhouse', 'known_addresses');
  for (const answer of ['n\n', '\n', '\u0003'])
    expect(await onTerminal(answer)).toContain(`origin (http://0.0.0.0:${server.port})`);
  expect(server.count).toBe(0);
  expect(existsSync(known)).toBe(false);

  expect(await onTerminal('y\n')).toContain('Continue? [y/N]');
  expect(server.count).toBeGreaterThan(0);
  expect(readFileSync(known, 'utf8')).toBe(`http://0.0.0.0:${server.port}\n`);
  expect(statSync(known).mode & 0o777).toBe(0o600);
  expect(await onTerminal('n\n')).not.toContain('Continue?');
});

it('watch lists what alert rules start and call, and does nothing of it before it is allowed', async () => {
  const folder = temporaryFolder();
  const received: string[] = [];
  const receiver = createHttpServer((request, response) => {
    request.on('data', (chunk) => received.push(String(chunk)));
    request.on('end', () => response.end());
  });
  later(() => void receiver.close());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhook = `http://127.0.0.1:${(receiver.address() as { port: number }).port}/`;
  const ranFile = join(folder, 'ran');
  const [nodes, rules] = [join(folder, 'nodes.yaml'), join(folder, 'rules.yaml')];
  writeFileSync(nodes, "nodes: { origin: { server: srs, url: 'http://127.0.0.1:9' } }\n");
  const rule = { name: 'any-cpu', kind: 'level', series: 'cpuPercent', above: -1, forMs: 0, severity: 'info' };
  writeFileSync(rules, JSON.stringify([{ ...rule, webhook, command: ['touch', ranFile] }]));
  const args = ['watch', '--nodes', nodes, '--alerts', rules, '--for', '6s', '--yes'];
  const refused = await fullhouse(folder, args);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain(`run "touch" "${ranFile}" on this machine`);
  expect(refused.stderr).toContain(`send it to ${webhook}`);
  expect(existsSync(ranFile)).toBe(false);
  expect(received).toEqual([]);

  await fullhouse(folder, [...args, '--allow-hooks']);
  expect(existsSync(ranFile)).toBe(true);
  expect(JSON.parse(received[0] ?? '')).toMatchObject({ rule: 'any-cpu', state: 'firing', node: 'local' });

  writeFileSync(rules, '- name: a\n  kind: nothing\n');
  const unusable = await fullhouse(folder, args);
  expect([unusable.code, unusable.stderr]).toEqual([2, expect.stringContaining("rules.yaml can't be used")]);
});

describe('an engine with a fleet', () => {
  it('binds no node of a plan, in any call, before the person has allowed it', async () => {
    const { yaml, server, ranFile } = await foreignPlan();
    const { plan } = parsePlan(yaml);
    const engine = engineInTemporaryFolder({ consent: {} });
    const { call } = engine.client;
    const scheduled = { ...plan, schedule: { repeat: 2 } };
    const all = [
      (given: object) => call('runs.start', { plan, ...given }),
      (given: object) => call('schedules.add', { plan: scheduled, ...given }),
      (given: object) => call('preflight.run', { id: 'x', plan, ...given }),
    ];
    for (const start of all) {
      await expect(start({})).rejects.toMatchObject({ code: 'hooks-not-allowed' });
      await expect(start({ allowHooks: true })).rejects.toMatchObject({ code: 'nodes-not-added' });
      const some = [`http://0.0.0.0:${server.port}`];
      await expect(start({ allowHooks: true, allowNodes: some })).rejects.toThrow(
        `contacts addresses that were not added before: host (ssh://qa@0.0.0.0:${server.port})`,
      );
    }
    await call('plan.check', { plan });
    const { items, newNodes } = await call('plans.consent', { plan });
    expect(items.map(({ kind }) => kind)).toEqual(['file', 'program', 'cluster', 'program', 'file']);
    expect(newNodes.map(({ name }) => name)).toEqual(['origin', 'host']);
    const { nodes } = await call('engine.state', {});
    expect(nodes.map(({ id }) => id)).toEqual(['lab', 'local']);
    expect(server.count).toBe(0);
    expect(existsSync(ranFile)).toBe(false);
  });

  it('asks for nothing of the nodes that the person has added, by any name', async () => {
    const { plan, server } = { ...(await foreignPlan()), plan: parsePlan(planOfOwn).plan };
    const engine = engineInTemporaryFolder({ consent: {} });
    const { call } = engine.client;
    expect((await call('plans.consent', { plan })).newNodes).toHaveLength(1);
    const settings = plan.nodes['origin'];
    if (settings) await call('nodes.add', { name: 'srs-1', settings, secrets: {} });
    expect(await call('plans.consent', { plan })).toEqual({ items: [], newNodes: [] });
    expect(await until(() => server.count === 0, 100)).toBe(true);
  });
});

const planOfOwn = `name: Own
nodes: { origin: { server: srs, url: 'http://127.0.0.1:9', gcLog: /var/log/gc.log }, tester: { tester: local } }
pull: { stream: cam, from: origin, by: [tester], viewers: 1, rate: 1/s, hold: 1s }
`;
