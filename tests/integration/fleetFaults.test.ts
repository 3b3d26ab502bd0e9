import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { NodeFix, NodeView } from '../../src/domain/model/node';
import type { NodeSecrets, NodeSettings } from '../../src/domain/model/nodeSettings';
import { startSrs, type SrsBehaviour, type SrsStandIn } from '../standins/srs';
import { startStandinWcs, type StandinWcs } from '../standins/wcs';
import type { Conditions } from '../standins/wcs/conditions';
import { arrivals, gateTo, isLive, longestGap, waitForNode, pause, trustKey, viewOf } from './fleetSupport';
import { startNginxRtmp } from './servers/nginxRtmp';
import { startSshd, type Sshd, type SshdOptions } from './servers/sshd';
import { cleanUp, engineInTemporaryFolder, later, temporaryFolder, type TestEngine } from './support';

afterEach(cleanUp);

/** Waiting for an unresponsive node takes 5 s; shorter delays are caused by a busy machine. */
const maxGapMs = 4500;
const oneSentence = /^[^\n]{20,400}\.$/;

async function srs(behaviour: SrsBehaviour = 'well'): Promise<SrsStandIn> {
  const server = await startSrs({ load: 'webrtc-200' });
  server.behaviour = behaviour;
  later(() => server.close());
  return server;
}

async function wcs(conditions: Partial<Conditions>): Promise<StandinWcs> {
  const server = await startStandinWcs(conditions);
  server.publish('cam');
  later(() => server.close());
  return server;
}

async function sshd(options: SshdOptions = {}): Promise<Sshd> {
  const server = await startSshd(options);
  later(() => server.stop());
  return server;
}

/** A separate ssh folder with the servers in its known_hosts. */
function sshFolder(...known: readonly Sshd[]): string {
  const folder = join(temporaryFolder(), 'ssh');
  mkdirSync(folder, { mode: 0o700 });
  for (const server of known) appendFileSync(join(folder, 'known_hosts'), server.hostKeyLine);
  return folder;
}

const isFine = ({ problem, hostKey, fix }: NodeView): boolean => (problem ?? hostKey ?? fix) === undefined;

const add = (engine: TestEngine, name: string, settings: NodeSettings, secrets: NodeSecrets = {}): Promise<unknown> =>
  engine.client.call('nodes.add', { name, settings, secrets });

it('a refused SSH login is a sentence in the node’s row, and everything else continues', async () => {
  const known = await sshd({ password: 'the right one' });
  const other = await sshd();
  const server = await srs();
  const options = {
    sshFolder: sshFolder(known),
    fleetFile: join(temporaryFolder(), 'fleet.yaml'),
    knownHostsFile: join(temporaryFolder(), 'known_hosts'),
  };
  const engine = engineInTemporaryFolder(options);
  const answered = arrivals(engine, 'originResponseMs');
  const host = arrivals(engine, 'load1');
  const { url } = server;
  await add(engine, 'healthy', { server: 'srs', url });
  const tester = { tester: 'ssh', ssh: known.address } as const;
  await add(engine, 'wrong-password', tester, { sshPassword: 'not it' });
  await add(engine, 'wrong-key', { ...tester, keyFile: known.newKey('other') });
  // The server's API figures need no SSH.
  await add(engine, 'half', { server: 'srs', url, ssh: known.address }, { sshPassword: 'not it' });
  await add(engine, 'unknown-key', { server: 'srs', url, ssh: other.address, keyFile: other.keyFile });
  await add(engine, 'same-host', { tester: 'ssh', ssh: other.address, keyFile: other.keyFile });

  for (const id of ['wrong-password', 'wrong-key']) {
    const view = await waitForNode(engine, id, ({ state }) => state === 'failed');
    expect(view).toMatchObject({ fix: 'enter-secret' });
    expect(view.problem).toMatch(
      new RegExp(`^${id}: 127\\.0\\.0\\.1:${known.port} rejected the login of ${known.user}\\. Tried: `),
    );
    expect(view.problem).toMatch(id === 'wrong-key' ? /Tried: key .*other/ : /Tried: .*password/);
    expect(view.problem).not.toContain('not it');
  }
  await waitForNode(engine, 'half', ({ fix }) => fix === 'enter-secret');
  expect(await waitForNode(engine, 'half', ({ streamCount }) => streamCount !== undefined)).toMatchObject({
    state: 'live',
    problem: expect.stringContaining('rejected the login') as string,
    fix: 'enter-secret',
  });
  await waitForNode(engine, 'same-host', ({ fix }) => fix === 'trust-key');
  const asked = await trustKey(engine, 'unknown-key');
  expect(asked).toMatchObject({
    state: 'live',
    fix: 'trust-key',
    hostKey: { state: 'unknown', host: `[127.0.0.1]:${other.port}`, keyType: 'ssh-ed25519' },
    problem: expect.stringMatching(/is unknown: ssh-ed25519 SHA256:.*nothing was sent\.$/) as string,
  });
  const trusted = await waitForNode(engine, 'unknown-key', (view) => view.machine !== undefined && isFine(view));
  expect(trusted).toMatchObject({ state: 'live' });
  await expect.poll(() => host('unknown-key').length, { timeout: 10_000 }).toBeGreaterThan(2);

  // The other node on that host requires the same password.
  await waitForNode(engine, 'same-host', isLive);

  // The correct password fixes the node for which it is entered.
  await engine.client.call('nodes.edit', {
    node: 'wrong-password',
    name: 'wrong-password',
    settings: tester,
    secrets: { sshPassword: 'the right one' },
  });
  await waitForNode(engine, 'wrong-password', isLive);
  for (const id of ['healthy', 'half']) {
    expect(answered(id).length).toBeGreaterThan(3);
    expect(longestGap(answered(id))).toBeLessThan(maxGapMs);
  }

  // A confirmed key stays trusted.
  await engine.shutdown();
  const after = engineInTemporaryFolder(options);
  const again = await waitForNode(after, 'unknown-key', ({ machine }) => machine !== undefined);
  expect(again.hostKey).toBeUndefined();
  expect(await waitForNode(after, 'wrong-key', ({ state }) => state === 'failed')).toMatchObject({
    fix: 'enter-secret',
  });
  // Passwords are in the keychain only.
  expect(await viewOf(after, 'wrong-password')).toMatchObject({ secrets: [] });
});

it('a changed host key blocks, trusting it reconnects, and a killed SSH server is reconnected', async () => {
  const [changing, dying, quiet] = [await sshd(), await sshd(), await sshd()];
  const server = await srs();
  const engine = engineInTemporaryFolder({ sshFolder: sshFolder() });
  const host = arrivals(engine, 'load1');
  const answered = arrivals(engine, 'originResponseMs');
  const { url } = server;
  for (const [name, each] of Object.entries({ changing, dying, quiet })) {
    await add(engine, name, { server: 'srs', url, ssh: each.address, keyFile: each.keyFile });
    await trustKey(engine, name);
  }
  await expect
    .poll(() => Math.min(...['changing', 'dying', 'quiet'].map((id) => host(id).length)), { timeout: 20_000 })
    .toBeGreaterThan(1);

  await changing.changeHostKeys();
  changing.cut();
  await dying.stopListening();
  dying.cut();
  const stopped = await waitForNode(engine, 'changing', ({ fix }) => fix === 'compare-keys');
  expect(stopped).toMatchObject({
    state: 'live',
    hostKey: { state: 'changed', known: { where: expect.stringContaining('known_hosts line') as string } },
    problem: expect.stringMatching(/presented a changed host key: .* Compare the keys with the host's owner/) as string,
  });
  expect(
    await waitForNode(engine, 'dying', ({ problem = '' }) => /refused the connection/.test(problem)),
  ).toMatchObject({
    fix: 'reconnect',
    links: [
      { kind: 'api', state: 'live' },
      { kind: 'ssh', state: 'lost' },
    ],
  });
  // A host with a changed key is not retried, the other one is retried until it responds.
  const knocks = (): number => changing.log().split('Connection from').length;
  const before = knocks();
  await pause(5000);
  expect(knocks()).toBe(before);
  const polledBefore = host('dying').length;
  await dying.listenAgain();
  await expect.poll(() => host('dying').length, { timeout: 40_000 }).toBeGreaterThan(polledBefore + 1);
  await waitForNode(engine, 'dying', isFine);

  await expect(
    engine.client.call('nodes.trustHostKey', { node: 'changing', fingerprint: 'SHA256:another' }),
  ).rejects.toMatchObject({ code: 'other-key' });
  const countBefore = host('changing').length;
  await trustKey(engine, 'changing');
  await expect.poll(() => host('changing').length, { timeout: 20_000 }).toBeGreaterThan(countBefore + 1);
  await waitForNode(engine, 'changing', isFine);

  expect(longestGap(host('quiet'))).toBeLessThan(maxGapMs);
  for (const id of ['changing', 'dying', 'quiet']) expect(longestGap(answered(id))).toBeLessThan(maxGapMs);
});

it('an invalid API response is a sentence in the node’s row, and delays no other node', async () => {
  const engine = engineInTemporaryFolder();
  const answered = arrivals(engine, 'originResponseMs');
  const nginx = await startNginxRtmp(temporaryFolder());
  later(() => nginx.end());
  const gate = await gateTo(nginx.url);
  const healthy = await srs();
  const slow = await srs();
  slow.delayMs = 2500;
  const spoilt = await srs();
  const bad: Array<[name: string, behaviour: SrsBehaviour, sentence: RegExp, fix: NodeFix]> = [
    ['html', 'html', /returned an HTML page instead of JSON; check the address\.$/, 'edit'],
    ['half', 'half', /returned invalid or incomplete JSON instead of JSON/, 'edit'],
    ['garbage', 'garbage', /returned more than 8,000,000 bytes/, 'edit'],
    ['never', 'never', /did not respond within 5 s\.$/, 'reconnect'],
  ];
  const odd = await wcs({
    unknownStatistics: { connection_stats: { connections_by_moonlight: 7 }, moon: { phase: 'full' } },
    missingStatistics: ['streams_viewers', 'system_stats'],
  });
  const old = await wcs({ isOld: true, version: '5.1.100' });

  await add(engine, 'healthy', { server: 'srs', url: healthy.url });
  await add(engine, 'slow', { server: 'srs', url: slow.url });
  await add(engine, 'spoilt', { server: 'srs', url: spoilt.url });
  await add(engine, 'nginx', { server: 'nginx-rtmp', url: gate.url });
  const [other, page] = [await srs(), await srs('html')];
  await add(engine, 'figureless', {
    server: 'srs',
    url: other.url,
    nodeExporter: `${page.url}/metrics`,
  });
  const mute = await wcs({ answers: 'html' });
  await add(engine, 'mute', { tester: 'wcs', url: mute.url });
  await add(engine, 'odd', { server: 'wcs', url: odd.url });
  await add(engine, 'old', { server: 'wcs', url: old.url });
  const never: SrsStandIn[] = [];
  for (const [name, behaviour] of bad) {
    const server = await srs(behaviour);
    if (behaviour === 'never') never.push(server);
    await add(engine, name, { server: 'srs', url: server.url });
  }

  for (const [name, , sentence, fix] of bad) {
    // If a busy machine delayed the first response, the next one has the error.
    const view = await waitForNode(engine, name, (node) => node.state === 'failed' && node.fix === fix);
    expect(view).toMatchObject({ links: [{ kind: 'api', state: 'lost', problem: view.problem }] });
    expect(view.problem).toMatch(sentence);
    expect(view.problem).toMatch(oneSentence);
    expect(view.problem?.startsWith(`${name}: `)).toBe(true);
    expect(answered(name)).toEqual([]);
  }

  expect(await waitForNode(engine, 'mute', ({ state }) => state === 'failed')).toMatchObject({
    problem: expect.stringMatching(/^mute: .*returned /) as string,
    fix: 'edit',
  });
  expect(await waitForNode(engine, 'figureless', ({ problem }) => problem !== undefined)).toMatchObject({
    state: 'live',
    problem: expect.stringMatching(/^figureless at .* instead of Prometheus metrics; check the address/) as string,
    fix: 'edit',
    links: [
      { kind: 'api', state: 'live' },
      { kind: 'metrics', state: 'lost' },
    ],
  });
  // A node that stopped responding was live before.
  await waitForNode(engine, 'spoilt', isLive);
  await waitForNode(engine, 'nginx', isLive);
  spoilt.behaviour = 'html';
  await gate.shut();
  expect(await waitForNode(engine, 'spoilt', ({ state }) => state === 'stale')).toMatchObject({
    problem: expect.stringContaining('an HTML page') as string,
  });
  expect(await waitForNode(engine, 'nginx', ({ state }) => state === 'stale')).toMatchObject({
    problem: expect.stringMatching(
      /^nginx: nothing listens at .*; check the port and that the server is running\.$/,
    ) as string,
    fix: 'reconnect',
  });

  // Slow: shown as such, with its own interval, and never more than one tick's requests at once.
  expect(await waitForNode(engine, 'slow', ({ isSlow }) => isSlow === true)).toMatchObject({ state: 'live' });
  const askedSlow = (): number => slow.asked.filter((each) => each.includes('/summaries')).length;
  const askedHealthy = (): number => healthy.asked.filter((each) => each.includes('/summaries')).length;
  const from = { slow: askedSlow(), healthy: askedHealthy(), received: answered('slow').length };
  const fromMs = Date.now();
  const states = new Set<string>();
  engine.client.on('nodes', (nodes) => {
    for (const { id, state } of nodes) if (id === 'slow') states.add(state);
  });
  await pause(9000);
  const ticks = (Date.now() - fromMs) / 1000;
  expect(askedSlow() - from.slow).toBeLessThanOrEqual(Math.ceil(ticks / 2.5) + 1);
  expect(answered('slow').length - from.received).toBeGreaterThanOrEqual(1);
  expect(askedHealthy() - from.healthy).toBeGreaterThan(ticks / 2);
  expect(askedHealthy() - from.healthy).toBeLessThanOrEqual(Math.ceil(ticks) + 1);
  expect([...states]).toEqual(['live']);
  const view = await viewOf(engine, 'slow');
  expect(view).toMatchObject({ state: 'live', isSlow: true });
  expect(view.responseMs).toBeGreaterThan(2400);

  const askedNever = never[0]?.asked.filter((each) => each.includes('/summaries')).length ?? 0;
  expect(askedNever).toBeLessThanOrEqual(Math.ceil((Date.now() - fromMs) / 1000 / 5) + 4);

  expect(await waitForNode(engine, 'odd', isLive)).toMatchObject({ streamCount: 1 });
  expect((await viewOf(engine, 'odd')).problem).toBeUndefined();
  expect(answered('odd').length).toBeGreaterThan(5);
  expect(await waitForNode(engine, 'old', isLive)).toMatchObject({
    problem: expect.stringMatching(/^old runs WCS 5\.1\.100, which is too old for this console: it needs /) as string,
    streamCount: 1,
  });

  spoilt.behaviour = 'well';
  await gate.open();
  for (const id of ['spoilt', 'nginx']) {
    const back = await waitForNode(engine, id, isLive);
    expect(back.problem).toBeUndefined();
  }
  for (const id of ['healthy', 'odd', 'old']) expect(longestGap(answered(id))).toBeLessThan(maxGapMs);
});
