import { afterEach, expect, it, vi } from 'vitest';
import { startHlsServer } from '../player/hlsServer';
import { startHttpProxy } from '../standins/httpProxy';
import { cleanUp, ended, engineInTemporaryFolder, later, planOf } from './support';

afterEach(async () => {
  vi.unstubAllEnvs();
  await cleanUp();
});

it('a run whose server is known to the proxy only: console and agent use the variables', async () => {
  const server = await startHlsServer();
  later(() => server.close());
  const through = await startHttpProxy({ login: 'qa:proxy-secret' });
  later(() => through.close());
  vi.stubEnv('http_proxy', through.url);
  vi.stubEnv('no_proxy', '');
  const { host: at } = new URL(server.url);
  const host = at.replace('127.0.0.1', 'media.test');
  const engine = engineInTemporaryFolder();
  const plan = planOf(
    { stream: 'cam', from: 'origin', by: ['tester'], protocol: 'hls', viewers: 2, ratePerSecond: 2, holdMs: 3000 },
    {
      nodes: { origin: { server: 'generic', hls: `http://${host}/{stream}.m3u8` }, tester: { tester: 'local' } },
      publish: [{ stream: 'cam', node: 'origin', source: 'external' }],
    },
  );
  const end = ended(engine);
  await engine.client.call('runs.start', { plan });
  expect((await end).figures).toMatchObject({ connectedPeak: 2, failed: 0 });
  expect(server.asked.filter((name) => name.endsWith('.ts')).length).toBeGreaterThan(2);
  expect(through.seen.filter((line) => line.startsWith(`GET http://${host}/`)).length).toBeGreaterThan(5);
  const remarks = engine.events.filter(({ sentence }) => sentence.includes('is reached through the proxy'));
  expect(remarks.map(({ sentence }) => sentence)).toEqual([
    expect.stringContaining(
      `reached through the proxy ${through.address} (the variable http_proxy): API, signalling and media over HTTP. RTMP, RTSP, SRT, TURN and WebRTC media can't go through an HTTP proxy`,
    ),
  ]);
  expect(JSON.stringify(engine.events)).not.toContain('proxy-secret');
});
