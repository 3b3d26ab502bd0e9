import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { engineEvents, type EngineCallName, type EngineEventName } from '../../src/contract/engine';
import type { NodeSettings } from '../../src/domain/model/nodeSettings';
import type { SeriesId } from '../../src/domain/series/series';
import { until } from '../e2e/app';
import { startLiveKit } from '../integration/servers/livekit';
import { startNginxRtmp, type NginxRtmp } from '../integration/servers/nginxRtmp';
import { cleanUp, cli, engineInTemporaryFolder, later, temporaryFolder, type TestEngine } from '../integration/support';
import { decoded, encoded } from './bytesInJson';
import { openPlayerPage, type PlayerPage } from './playerPage';
import { startStreamServer, type StreamServer } from './streamServer';

/** The control player on real servers: each protocol, through the engine, under the window's policy. */
let player: PlayerPage;
let engine: TestEngine;
let nginx: NginxRtmp;
let streams: StreamServer;

beforeAll(async () => {
  engine = engineInTemporaryFolder();
  nginx = await startNginxRtmp(temporaryFolder());
  later(() => nginx.end());
  streams = await startStreamServer();
  later(() => streams.close());
  player = await openPlayerPage();
  later(() => player.close());
  await player.page.exposeFunction('callEngine', async (name: EngineCallName, input: string) => {
    try {
      return encoded({ output: await engine.client.call(name, decoded(input) as never) });
    } catch (error) {
      return encoded({ error: (error as Error).message });
    }
  });
  for (const name of Object.keys(engineEvents) as EngineEventName[])
    if (name.startsWith('player') || name === 'sessionEnded')
      engine.client.on(name, (payload: unknown) => {
        const event = { name, payload: encoded(payload) };
        player.page
          .evaluate(({ name: id, payload: text }) => window.playerPage.real.event(id, text), event)
          .catch(() => undefined);
      });
  await player.page.evaluate(() => window.playerPage.useRealEngine());
});
afterAll(cleanUp);

async function addNode(name: string, settings: NodeSettings, secrets: Record<string, string> = {}): Promise<void> {
  await engine.client.call('nodes.add', { name, settings, secrets });
}

const shows = (testId: string): Promise<string> => player.page.getByTestId(testId).innerText();

/** Plays the stream until frames are presented; returns the frame rate. */
async function play(node: string, stream: string): Promise<number> {
  await player.page.evaluate(
    ([id, name]) => {
      const { playerPage } = window;
      playerPage.engine.reports.length = 0;
      Object.assign(playerPage.props, { node: { id, name: id }, stream: name });
    },
    [node, stream] as const,
  );
  return until(`${stream} of ${node}`, async () => {
    const { state, fps } = await player.page.evaluate(() => ({
      state: document.querySelector<HTMLElement>('[data-testid=player]')?.dataset['state'],
      fps: window.playerPage.engine.reports.at(-1)?.values.playerFrameRate ?? 0,
    }));
    return state === 'playing' && fps > 12 ? fps : undefined;
  });
}

/** The last value that was reported. */
function latest(series: SeriesId): Promise<number> {
  return until(`a report of ${series}`, () =>
    player.page.evaluate(
      (name) =>
        window.playerPage.engine.reports
          .map(({ values }) => values[name])
          .filter((value) => value !== undefined)
          .at(-1),
      series,
    ),
  );
}

async function stop(): Promise<void> {
  await player.page.evaluate(() => {
    window.playerPage.props.stream = null;
  });
}

it('plays FLV over HTTP and over WebSocket', async () => {
  for (const scheme of ['http', 'ws']) {
    const address = `${streams.url.replace('http', scheme)}/{stream}.flv`;
    await addNode(`flv-${scheme}`, { server: 'generic', flv: address });
    expect(await play(`flv-${scheme}`, 'cam')).toBeLessThan(32);
    expect(await shows('player-codec')).toMatch(/H\.264 C?BP.* · AAC/);
    expect(await shows('player-size')).toBe('320 × 240');
    await stop();
    await until('the viewer has left', () => Promise.resolve(streams.viewers() === 0));
  }
});

it('plays MJPEG', async () => {
  await addNode('camera', { server: 'generic', mjpeg: `${streams.url}/{stream}.mjpeg` });
  expect(await play('camera', 'cam')).toBeLessThan(32);
  expect(await shows('player-codec')).toContain('JPEG');
  await stop();
  await until('the viewer has left', () => Promise.resolve(streams.viewers() === 0));
});

it('plays HLS of nginx-rtmp, and its RTMP repackaged', async () => {
  const publishing = nginx.publish('live/cam', 60);
  await addNode('nginx', { server: 'nginx-rtmp', url: nginx.url, rtmp: nginx.rtmp, hls: nginx.hls });
  await until('the playlist', async () => (await fetch(nginx.hls.replace('{stream}', 'cam'))).ok);
  await play('nginx', 'cam');
  expect(await shows('player-segments')).toMatch(/buffer/);
  await player.page.getByLabel('Protocol').selectOption('rtmp');
  await until('RTMP', async () => (await shows('player')).includes('repackaged by ffmpeg on this machine'));
  await play('nginx', 'cam');
  expect(await shows('player-size')).toBe('320 × 240');
  await publishing.end();
  await until('the reason', async () =>
    /cam stopped sending media|no media of cam/.test(await shows('player-picture')),
  );
  await stop();
});

it('publishes the test pattern over RTMP, and measures its delay', async () => {
  await player.page.evaluate(() => window.playerPage.relay('nginx', 'clock'));
  await play('nginx', 'clock');
  expect(await player.page.getByLabel('Protocol').inputValue()).toBe('rtmp');
  const delay = await until('the delay', async () => {
    const row = player.page.getByTestId('player-glass');
    return (await row.count()) > 0 && row.innerText();
  });
  expect(delay).toMatch(/p50 [\d,]+ ms/);
  await until('the delay of the audio', async () => (await player.page.getByTestId('player-audio-delay').count()) > 0);
  // The element plays both by one clock.
  expect(Math.abs(await latest('playerAvOffsetMs'))).toBeLessThan(40);
  expect(Math.abs((await latest('playerAudioDelayMs')) - (await latest('playerDelayMs')))).toBeLessThan(200);
  await stop();
  await player.page.evaluate(() => window.playerPage.relayed?.end());
  expect(await player.page.evaluate(() => window.playerPage.published.ended)).toEqual([undefined]);
});

it('reads every tone burst of the test pattern by way of the lab', async () => {
  await engine.client.call('lab.start', {});
  await player.page.evaluate(async () => {
    await window.playerPage.session?.end();
    await window.playerPage.publish('pattern', 'lab', 'clock');
  });
  await play('lab', 'clock');
  await until('the delay of the audio', async () => (await player.page.getByTestId('player-audio-delay').count()) > 0);
  const bursts = (): Promise<number> =>
    player.page.evaluate(() => {
      const title = document.querySelector('[data-testid=player-audio-delay]')?.parentElement?.title;
      return Number(/(\d+) bursts/.exec(title ?? '')?.[1]);
    });
  // A busy machine interrupts audio, which is then not read.
  await until('a burst in each second', async () => {
    const before = await bursts();
    await player.page.waitForTimeout(3000);
    // The shown count is up to a second old at both ends.
    return (await bursts()) - before >= 2;
  });
  const offsetMs = await latest('playerAvOffsetMs');
  expect(await latest('playerAudioDelayMs')).toBeLessThan(2000);
  // Lip sync of WebRTC takes some seconds.
  expect(Math.abs(offsetMs)).toBeLessThan(200);
  await stop();
  await player.page.evaluate(() => window.playerPage.session?.end());
});

it('measures the delay of a media file that a tester publishes', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...[cli, 'sample', '--size', '640x360', '--kbps', '400', '--seconds', '4', '--out', temporaryFolder()],
  ]);
  const file = { node: 'lab', stream: 'file' };
  await engine.client.call('publish.start', { ...file, source: stdout.trim(), by: 'local' });
  await play('lab', 'file');
  await until('the delay since sending', async () => (await shows('player')).includes('Sent to display'));
  const delayMs = await latest('playerDelayMs');
  expect(delayMs).toBeGreaterThan(0);
  expect(delayMs).toBeLessThan(2000);
  expect(Math.abs(await latest('playerAvOffsetMs'))).toBeLessThan(200);
  // A path that is slower by 300 ms.
  await engine.client.call('lab.conditions', { stream: 'file', delayMs: 300 });
  const slowerMs = await until('the longer delay', async () => {
    const laterMs = await latest('playerDelayMs');
    return laterMs > delayMs + 150 && laterMs;
  });
  expect(slowerMs).toBeLessThan(delayMs + 800);
  await stop();
});

it('plays a room of LiveKit', async () => {
  const server = await startLiveKit();
  later(() => server.stop());
  const { url, apiKey, apiSecret } = server;
  await addNode('sfu', { server: 'livekit', url, apiKey }, { apiSecret });
  await until('LiveKit is live', async () => {
    const { nodes } = await engine.client.call('engine.state', {});
    return nodes.some(({ id, state }) => id === 'sfu' && state === 'live');
  });
  await engine.client.call('publish.start', { node: 'sfu', stream: 'stage', source: 'sample-240p', by: 'local' });
  await play('sfu', 'stage');
  expect(await shows('player-codec')).toMatch(/H\.264.* · Opus/);
  await until('an RTT', async () => (await shows('player-rtt')).includes('ms'));
  await stop();
});

it('refuses addresses of other hosts', async () => {
  const order = {
    connection: 'c1',
    node: 'camera',
    stream: 'cam',
    kind: 'http',
    url: 'http://127.0.0.1:1/cam',
  } as const;
  await expect(engine.client.call('player.connect', order)).rejects.toThrow(
    'The stream refers to http://127.0.0.1:1, which is not an address of camera; nothing is fetched from there.',
  );
});

it('works under the strict content security policy', () => {
  expect(player.errors).toEqual([]);
});
