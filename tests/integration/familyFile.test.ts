import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ProbeView } from '../../src/domain/model/probe';
import { startInventedServer } from '../standins/inventedServer';
import { waitForNode } from './fleetSupport';
import { startLab } from './servers/lab';
import { startNodeMediaServer } from './servers/nodeMediaServer';
import type { Plan } from '../../src/domain/model/plan';
import {
  cleanUp,
  ended,
  engineInTemporaryFolder,
  later,
  planOf,
  root,
  temporaryFolder,
  type TestEngine,
} from './support';

afterEach(cleanUp);

async function probed(
  engine: TestEngine,
  order: { address: string; user?: string; password?: string },
): Promise<ProbeView> {
  const { address, user, password } = order;
  const done = new Promise<ProbeView>((resolve) => {
    const off = engine.client.on('probe', (view) => {
      if (view.probe !== address || !view.isDone) return;
      off();
      resolve(view);
    });
  });
  await engine.client.call('nodes.probe', {
    ...{ probe: address, address, play: true },
    ...(user === undefined ? {} : { user }),
    secrets: password === undefined ? {} : { httpPassword: password },
  });
  return done;
}

it('finds, plays, counts, charts and judges a server that only a file describes', async () => {
  const { base, link } = await startLab();
  const server = await startInventedServer(base);
  later(() => server.close());
  await link.request('lab.publish-sample', { stream: 'cam', sample: 'sample-240p' });
  const familiesFolder = temporaryFolder();
  const file = join(familiesFolder, 'roundhouse.yaml');
  writeFileSync(
    file,
    readFileSync(join(root, 'tests', 'fixtures', 'roundhouse.yaml'), 'utf8')
      .replace('7801', String(server.port))
      .replace('7802', new URL(base).port),
  );
  const engine = engineInTemporaryFolder({ familiesFolder });

  const locked = await probed(engine, { address: `127.0.0.1:${server.port}` });
  expect(locked.origins[0]).toMatchObject({ software: 'Roundhouse 3.2' });
  expect(locked.needs.map(({ kind }) => kind)).toEqual(['user', 'httpPassword']);

  const login = { user: 'qa', password: 'pass' };
  const view = await probed(engine, { address: `http://127.0.0.1:${server.port}/`, ...login });
  const url = `http://127.0.0.1:${server.port}`;
  expect(view.origins[0]).toMatchObject({
    software: 'Roundhouse 3.2',
    settings: { server: 'file', familyFile: 'roundhouse', url },
  });
  expect(view.plays).toMatchObject([{ protocol: 'whep', stream: 'cam', address: `${base}/whep/cam` }]);
  expect(view.plays?.[0]?.failed).toBeUndefined();
  // Other families ask for RTSP at any port.
  expect(server.requests.filter((request) => !/^(GET|OPTIONS) /.test(request))).toEqual([]);

  const figures: number[] = [];
  engine.client.on('run', (run) => run && figures.push(run.figures.originViewers ?? -1));
  const edge = { server: 'file', familyFile: 'roundhouse', url, user: 'qa' } as const;
  await engine.client.call('nodes.add', { name: 'edge', settings: edge, secrets: { httpPassword: 'pass' } });
  await waitForNode(engine, 'edge', ({ state, software }) => state === 'live' && software === 'Roundhouse 3.2');
  await engine.client.call('runs.start', {
    plan: planOf(
      { from: 'edge', viewers: 10, ratePerSecond: 10, holdMs: 3000 },
      { nodes: { edge, audience: { tester: 'local' } }, publish: [] },
    ),
  });
  const run = await ended(engine);
  expect(run.verdict).toMatchObject({ verdict: 'pass' });
  expect(Math.max(...figures)).toBe(10);
});

it('refuses a file outside of the folder of the plan until it is allowed, and says what is wrong in it', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'families'));
  const file = join(folder, 'edge.yaml');
  copyFileSync(join(root, 'tests', 'fixtures', 'roundhouse.yaml'), file);
  const engine = engineInTemporaryFolder({ consent: {} });
  const plan = planOf(
    { from: 'edge' },
    {
      nodes: { edge: { server: 'file', familyFile: file, url: 'http://127.0.0.1:1' }, audience: { tester: 'local' } },
      publish: [],
    },
  );
  await expect(engine.client.call('runs.start', { plan })).rejects.toThrow(
    `read "${file}" of this machine, as the description of the server "edge"`,
  );
  writeFileSync(file, 'title: Edge\nports: { api: 1 }\nrecognise: [{ get: "http://elsewhere/" }]\n');
  await expect(
    engine.client.call('nodes.add', { name: 'edge', settings: plan.nodes['edge'] ?? { server: 'lab' }, secrets: {} }),
  ).rejects.toThrow('recognise.0.get: must start with a scheme and a part of the server');
});

it('publishes to a real Node-Media-Server, pulls from it over three protocols, and agrees with its count', async () => {
  const server = await startNodeMediaServer();
  const { url, rtmpPort, user, password } = server;
  const { host } = new URL(url);
  const engine = engineInTemporaryFolder();
  const found = await probed(engine, { address: host, user, password });
  expect(found.origins[0]).toMatchObject({
    software: 'Node-Media-Server 4.4.3',
    settings: { server: 'node-media-server', url },
  });
  expect(found.rows.find(({ id }) => id === 'play')).toMatchObject({ found: 'no stream is published' });

  const edge = { server: 'node-media-server', url, user, rtmp: `rtmp://127.0.0.1:${rtmpPort}/live/{stream}` } as const;
  await engine.client.call('nodes.add', { name: 'edge', settings: edge, secrets: { httpPassword: password } });
  await waitForNode(
    engine,
    'edge',
    ({ state, software }) => state === 'live' && software === 'Node-Media-Server 4.4.3',
  );
  const pull = { from: 'edge', viewers: 5, ratePerSecond: 10, holdMs: 5000 } as const;
  const plan = planOf(
    { ...pull, protocol: 'rtmp' },
    {
      nodes: { edge, audience: { tester: 'local' } },
      publish: [{ stream: 'cam', node: 'edge', source: 'sample-240p', protocol: 'rtmp', by: 'audience' }],
    },
  );
  const also = (['http-flv', 'ws-flv'] as const).map((protocol) => ({ ...plan.pull, ...pull, protocol }));
  const counted: number[] = [];
  engine.client.on('run', (run) => run && counted.push(run.figures.originViewers ?? 0));
  await engine.client.call('runs.start', { plan: { ...plan, also } as Plan });
  await waitForNode(engine, 'edge', ({ streams }) => streams[0]?.viewers === 15);
  const edgeView = await waitForNode(engine, 'edge', ({ streams }) => (streams[0]?.bitrateKbps ?? 0) > 0);
  expect(edgeView.streams[0]).toMatchObject({ stream: 'cam', source: 'rtmp', videoCodec: 'H264' });
  const run = await ended(engine);
  expect(run.verdict).toMatchObject({ verdict: 'pass' });
  expect(Math.max(...counted)).toBe(15);
});
