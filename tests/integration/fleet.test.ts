import { chmodSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { CapacityTest } from '../../src/domain/model/capacity';
import type { NodeSecrets } from '../../src/domain/model/nodeSettings';
import type { ProbeView } from '../../src/domain/model/probe';
import { pullProtocols } from '../../src/domain/model/protocols';
import { startSrs } from '../standins/srs';
import { isLive, waitForNode, trustKey, viewOf } from './fleetSupport';
import { startLiveKit } from './servers/livekit';
import { startNginxRtmp, type NginxRtmp } from './servers/nginxRtmp';
import { makeOtherHost } from './servers/otherHost';
import { startSshd, type SshdOptions, type Sshd } from './servers/sshd';

import { until } from '../support/until';
import { cleanUp, engineInTemporaryFolder, later, temporaryFolder, type TestEngine } from './support';

afterEach(cleanUp);

const noSuchFolder = (): string => join(temporaryFolder(), 'no-such-folder');

async function sshd(options: SshdOptions = {}): Promise<Sshd> {
  const server = await startSshd(options);
  later(() => server.stop());
  return server;
}

async function nginx(): Promise<NginxRtmp> {
  const server = await startNginxRtmp(temporaryFolder());
  later(() => server.end());
  return server;
}

interface Look {
  readonly name: string;
  /** The latest view. */
  readonly seen: () => ProbeView | undefined;
  readonly done: Promise<ProbeView>;
}

interface Typed {
  readonly keyFile?: string;
  readonly apiKey?: string;
  readonly user?: string;
  readonly secrets?: NodeSecrets;
}

let lastLook = 0;

/** Enters an address, and waits for all probe results. */
function look(engine: TestEngine, address: string, typed: Typed = {}): Look {
  const name = `look-${(lastLook += 1)}`;
  let seen: ProbeView | undefined;
  const done = new Promise<ProbeView>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Still probing ${address}: ${JSON.stringify(seen)}`)), 30_000);
    const off = engine.client.on('probe', (view) => {
      if (view.probe !== name) return;
      seen = view;
      if (!view.isDone) return;
      clearTimeout(timer);
      off();
      resolve(view);
    });
    engine.client.call('nodes.probe', { probe: name, address, secrets: {}, ...typed }).catch(reject);
  });
  return { name, seen: () => seen, done };
}

const rowOf = (view: ProbeView, id: string) => view.rows.find((row) => row.id === id);

/** Adds the node suggested by a probe, under its suggested name. */
async function addSuggested(engine: TestEngine, view: ProbeView, secrets: NodeSecrets = {}): Promise<string> {
  const settings = view.suggestedRole === 'tester' ? view.tester : view.origins[0]?.settings;
  if (!settings) throw new Error(`No node found at ${view.address}.`);
  await engine.client.call('nodes.add', { name: view.suggestedName, settings, secrets });
  return view.suggestedName;
}

it('identifies the servers at typed addresses, and its suggestions can be added', async () => {
  const [server, live, rtmp, srs] = await Promise.all([
    sshd({ temporaryUser: true }),
    startLiveKit(),
    nginx(),
    startSrs({ load: 'webrtc-200' }),
  ]);
  later(() => live.stop());
  later(() => srs.close());
  const engine = engineInTemporaryFolder({ sshFolder: noSuchFolder() });
  await engine.client.call('lab.start', {});
  await engine.client.call('publish.start', { node: 'lab', stream: 'cam', source: 'sample-240p' });
  await waitForNode(engine, 'lab', ({ streams }) => streams.length === 1);
  const { url: whepUrl } = await engine.client.call('player.address', { node: 'lab', stream: 'cam' });
  const keys = { apiKey: live.apiKey, secrets: { apiSecret: live.apiSecret } };
  const gone = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => gone.once('listening', resolve));
  const gonePort = (gone.address() as AddressInfo).port;
  await new Promise((resolve) => gone.close(resolve));

  const unknownKey = look(engine, server.address, { keyFile: server.keyFile });
  const [key, stat, plain, room, keyless, whep, nothing] = await Promise.all([
    unknownKey.done,
    look(engine, rtmp.url).done,
    look(engine, new URL(srs.url).host).done,
    look(engine, live.url, keys).done,
    look(engine, live.url).done,
    look(engine, whepUrl).done,
    look(engine, `127.0.0.1:${gonePort}`).done,
  ]);

  expect(key).toMatchObject({
    origins: [],
    hostKey: { state: 'unknown', host: `[127.0.0.1]:${server.port}` },
    suggestedName: 'node-1',
  });
  expect(rowOf(key, 'ssh')).toMatchObject({
    state: 'failed',
    found: expect.stringMatching(/is unknown: /) as string,
  });
  expect(stat).toMatchObject({
    origins: [{ settings: { server: 'nginx-rtmp', url: rtmp.url } }],
    suggestedName: 'nginx-rtmp-1',
    suggestedRole: 'origin',
    needs: [],
  });
  expect(rowOf(stat, 'server')).toMatchObject({
    state: 'found',
    found: expect.stringMatching(/^nginx-rtmp 1\./) as string,
  });
  // A URL denotes a server: SSH is not probed.
  expect(rowOf(stat, 'ssh')).toBeUndefined();
  expect(plain).toMatchObject({
    origins: [{ software: 'SRS 7.0.18', settings: { server: 'srs', url: srs.url } }],
    suggestedName: 'srs-1',
    needs: [],
  });
  expect(plain.can.measure).toContain('streams');
  expect(room).toMatchObject({
    origins: [{ settings: { server: 'livekit', url: live.url, apiKey: live.apiKey } }],
    suggestedName: 'livekit-1',
    needs: [],
  });
  expect(keyless.needs.map(({ kind }) => kind).sort()).toEqual(['apiKey', 'apiSecret']);
  expect(whep).toMatchObject({
    origins: [{ settings: { server: 'generic', whep: whepUrl.replace(/cam$/, '{stream}') } }],
    needs: [],
  });
  expect(whep.can.pull).toContain('whep');
  expect(nothing).toMatchObject({ origins: [], needs: [], hostKey: undefined, suggestedRole: 'origin' });
  expect(rowOf(nothing, 'server')).toMatchObject({ state: 'absent' });
  for (const view of [key, stat, plain, room, keyless, whep, nothing])
    expect(view.rows.filter(({ state }) => state === 'probing')).toEqual([]);
  expect(JSON.stringify([room, key])).not.toContain(live.apiSecret);

  // The key is confirmed once, also while the probe runs again with other settings, and the next probe connects.
  const again = { probe: unknownKey.name, address: server.address, keyFile: server.keyFile, secrets: {} };
  await engine.client.call('nodes.probe', again);
  await engine.client.call('nodes.trustHostKey', {
    probe: unknownKey.name,
    fingerprint: key.hostKey?.fingerprint ?? '',
  });
  const inside = await look(engine, server.address, { keyFile: server.keyFile }).done;
  expect(inside).toMatchObject({
    hostKey: undefined,
    suggestedRole: 'tester',
    suggestedName: 'tester-1',
    tester: { tester: 'ssh', ssh: server.address, keyFile: server.keyFile },
    needs: [],
  });
  expect(inside.can.publish).toEqual(['whip', 'rtmp']);
  expect(new Set(inside.can.pull)).toEqual(new Set(pullProtocols));
  for (const id of ['ssh', 'system', 'agent', 'clock', 'iperf3'])
    expect(rowOf(inside, id), id).toMatchObject({ state: 'found' });
  const password = await look(engine, server.address).done;
  expect(password.needs).toMatchObject([{ kind: 'sshPassword' }]);
  await expect(engine.client.call('nodes.probe', { probe: 'x', address: 'two words', secrets: {} })).rejects.toThrow(
    /can't contain spaces/,
  );

  const names = [];
  for (const [view, secrets] of [[stat], [plain], [room, keys.secrets], [whep], [inside]] as const)
    names.push(await addSuggested(engine, view, secrets));
  for (const name of names) expect(await waitForNode(engine, name, isLive)).toMatchObject({ name });
  expect((await look(engine, new URL(srs.url).host).done).suggestedName).toBe('srs-1-2');
});

it('a fleet is exported without secrets, imported elsewhere, edited and removed', async () => {
  const srs = await startSrs({ load: 'webrtc-200' });
  later(() => srs.close());
  // A server's API with a password.
  const guarded = createServer((question, answer) => {
    const wanted = `Basic ${Buffer.from('admin:open sesame').toString('base64')}`;
    if (question.headers.authorization !== wanted) return void answer.writeHead(401).end();
    const onward = ask(new URL(question.url ?? '/', srs.url), (from) => {
      answer.writeHead(from.statusCode ?? 500, from.headers);
      from.pipe(answer);
    });
    question.pipe(onward.on('error', () => answer.destroy()));
  }).listen(0, '127.0.0.1');
  later(() => void guarded.close());
  await new Promise((resolve) => guarded.once('listening', resolve));
  const url = `http://127.0.0.1:${(guarded.address() as AddressInfo).port}`;
  const fleetFile = join(temporaryFolder(), 'fleet.yaml');
  const engine = engineInTemporaryFolder({ fleetFile, sshFolder: noSuchFolder() });
  const kept: Array<{ node: string; secrets: NodeSecrets }> = [];
  engine.client.on('keepSecrets', (each) => kept.push(each));
  await engine.client.call('nodes.add', {
    name: 'guarded',
    settings: { server: 'srs', url, user: 'admin' },
    secrets: { httpPassword: 'not it' },
  });
  expect(await waitForNode(engine, 'guarded', ({ state }) => state === 'failed')).toMatchObject({
    problem: expect.stringMatching(/HTTP 401; the credentials were refused\.$/) as string,
    fix: 'enter-secret',
  });
  const before = await viewOf(engine, 'guarded');
  await engine.client.call('nodes.edit', {
    node: 'guarded',
    name: 'behind-a-door',
    settings: { server: 'srs', url, user: 'admin' },
    secrets: { httpPassword: 'open sesame' },
  });
  expect(await waitForNode(engine, 'behind-a-door', isLive)).toMatchObject({
    colourSlot: before.colourSlot,
    secrets: ['httpPassword'],
  });
  expect(kept.at(-1)).toEqual({ node: 'behind-a-door', secrets: { httpPassword: 'open sesame' } });
  await engine.client.call('nodes.add', {
    name: 'box',
    settings: { tester: 'ssh', ssh: 'qa@127.0.0.1:1', jump: 'qa@127.0.0.1:2' },
    secrets: { sshPassword: 'hush' },
  });
  await engine.client.call('nodes.add', {
    name: 'spare',
    settings: { server: 'srs', url: srs.url },
    secrets: {},
  });
  expect(await engine.client.call('nodes.remove', { node: 'spare' })).toEqual({ done: true });
  await expect(viewOf(engine, 'spare')).rejects.toThrow();

  const { yaml } = await engine.client.call('nodes.export', {});
  expect(yaml).not.toMatch(/sesame|hush|not it/);
  // Written in the background.
  await until(() => readFileSync(fleetFile, 'utf8') === yaml);
  expect(readFileSync(fleetFile, 'utf8')).toBe(yaml);
  const other = engineInTemporaryFolder({ sshFolder: noSuchFolder() });
  expect(await other.client.call('nodes.import', { yaml })).toEqual({
    added: ['behind-a-door', 'box'],
    remarks: [],
  });
  expect((await other.client.call('nodes.export', {})).yaml).toBe(yaml);
  expect(await waitForNode(other, 'behind-a-door', ({ state }) => state === 'failed')).toMatchObject({
    secrets: [],
  });
  expect((await other.client.call('nodes.import', { yaml })).remarks).toEqual([
    'behind-a-door exists already and is unchanged.',
    'box exists already and is unchanged.',
  ]);
  // As returned by the keychain: the waiting node then connects automatically.
  await other.client.call('secrets.restore', {
    secrets: { 'behind-a-door': { httpPassword: 'open sesame' } },
  });
  expect(await waitForNode(other, 'behind-a-door', isLive)).toMatchObject({ secrets: ['httpPassword'] });
});

it('publishes to a real nginx-rtmp from the local agent, lists its streams and terminates them', async () => {
  const server = await nginx();
  const engine = engineInTemporaryFolder();
  const settings = { server: 'nginx-rtmp', url: server.url, rtmp: server.rtmp } as const;
  await engine.client.call('nodes.add', { name: 'edge', settings, secrets: {} });
  await waitForNode(engine, 'edge', isLive);
  for (const stream of ['cam-1', 'cam-2', 'door'])
    await engine.client.call('publish.start', { node: 'edge', stream, source: 'sample-240p', by: 'local' });
  const full = await waitForNode(engine, 'edge', ({ streamCount }) => streamCount === 3);
  const names = full.streams.map(({ stream }) => stream);
  expect(names.map((name) => name.replace(/^live\//, '')).sort()).toEqual(['cam-1', 'cam-2', 'door']);

  const window = (over: object = {}) =>
    engine.client.call('nodes.streams', {
      node: 'edge',
      filter: '',
      sortBy: 'stream',
      descending: false,
      offset: 0,
      limit: 2,
      ...over,
    });
  const first = await window();
  expect(first).toMatchObject({ total: 3, matching: 3 });
  expect(first.streams.map(({ stream }) => stream)).toEqual([...names].sort().slice(0, 2));
  expect((await window({ offset: 2 })).streams.map(({ stream }) => stream)).toEqual([...names].sort().slice(2));
  expect((await window({ descending: true, limit: 1 })).streams[0]?.stream).toMatch(/door$/);
  expect(await window({ filter: 'cam' })).toMatchObject({ total: 3, matching: 2 });
  expect((await window({ filter: 'door' })).streams).toMatchObject([{ videoCodec: 'H264', width: 426, height: 240 }]);

  const door = names.find((name) => name.endsWith('door')) ?? '';
  const { jobs } = await engine.client.call('engine.state', {});
  const job = jobs.find(({ stream }) => stream === 'door' || stream === door)?.id ?? '';
  await engine.client.call('publish.stop', { job });
  await waitForNode(engine, 'edge', ({ streamCount }) => streamCount === 2);
  expect(await engine.client.call('nodes.terminate', { node: 'edge', filter: 'cam' })).toEqual({
    ended: 2,
    problems: [],
  });
  const { problems } = await engine.client.call('nodes.terminate', { node: 'edge', stream: 'moon' });
  expect(problems).toEqual([expect.stringMatching(/^moon: /)]);
});

/** A folder with the system's programs, without one of them. */
function programsWithout(missing: string): string {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  for (const name of readdirSync('/usr/bin'))
    if (name !== missing) symlinkSync(join('/usr/bin', name), join(folder, name));
  return folder;
}

it('measures the bandwidth between this machine and another host with iperf3, and reports where it is missing', async () => {
  const host = makeOtherHost();
  later(() => host.remove());
  const far = await sshd({ network: host });
  const bare = await sshd({ network: host, config: [`SetEnv PATH=${programsWithout('iperf3')}`] });
  const engine = engineInTemporaryFolder({ sshFolder: noSuchFolder() });
  for (const [name, { address, keyFile }] of Object.entries({ far, bare })) {
    await engine.client.call('nodes.add', {
      name,
      settings: { tester: 'ssh', ssh: address, keyFile },
      secrets: {},
    });
    await trustKey(engine, name);
    await waitForNode(engine, name, isLive);
  }
  const news: CapacityTest[] = [];
  engine.client.on('capacity', (test) => news.push(test));
  const measure = async (from: string, to: string, protocol: 'tcp' | 'udp' = 'tcp'): Promise<CapacityTest> => {
    const { id } = await engine.client.call('capacity.measure', {
      from,
      to,
      protocol,
      seconds: 1,
      bitrateMbps: 20,
    });
    const isOver = (test: CapacityTest): boolean => test.id === id && test.state !== 'running';
    await expect.poll(() => news.some(isOver), { timeout: 20_000 }).toBe(true);
    return news.find(isOver) as CapacityTest;
  };

  const there = await measure('local', 'far');
  expect(there).toMatchObject({ state: 'done', from: 'local', to: 'far', progress: 1 });
  expect(there.mbps).toBeGreaterThan(1);
  expect((await viewOf(engine, 'local')).capacity).toMatchObject({
    mbps: there.mbps,
    protocol: 'tcp',
    between: 'far',
    direction: 'out',
  });
  expect((await viewOf(engine, 'far')).capacity).toMatchObject({
    mbps: there.mbps,
    between: 'local',
    direction: 'in',
  });
  const back = await measure('far', 'local', 'udp');
  expect(back).toMatchObject({ state: 'done', lossPercent: expect.any(Number) as number });
  expect((await viewOf(engine, 'far')).capacity).toMatchObject({
    mbps: back.mbps,
    protocol: 'udp',
    direction: 'out',
  });

  expect(await measure('local', 'bare')).toMatchObject({
    state: 'failed',
    problem: expect.stringMatching(/^iperf3 is missing on bare: install the package iperf3 there/) as string,
  });
  // A failed measurement does not discard the previous result.
  expect((await viewOf(engine, 'local')).capacity).toMatchObject({ between: 'far' });
  const { address, keyFile } = far;
  await engine.client.call('nodes.add', {
    name: 'far-origin',
    settings: { server: 'generic', whep: 'http://127.0.0.1:1/{stream}', ssh: address, keyFile },
    secrets: {},
  });
  const refused = engine.client.call('capacity.measure', {
    from: 'far',
    to: 'far-origin',
    protocol: 'tcp',
    seconds: 1,
  });
  await expect(refused).rejects.toThrow('far and far-origin run on the same machine');
});
