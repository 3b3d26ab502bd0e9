import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../e2e/app';
import { startNginxRtmp, type NginxRtmp } from '../integration/servers/nginxRtmp';
import { cleanUp, later, temporaryFolder } from '../integration/support';
import { RealPlayer } from './realPlayer';
import { startStreamServer, type StreamServer } from './streamServer';

/** The control player on real servers: each protocol, through the engine. */
let player: RealPlayer;
let nginx: NginxRtmp;
let streams: StreamServer;

beforeAll(async () => {
  nginx = await startNginxRtmp(temporaryFolder());
  later(() => nginx.end());
  streams = await startStreamServer();
  later(() => streams.close());
  player = await RealPlayer.open();
});
afterAll(cleanUp);

it('plays FLV over HTTP and over WebSocket', async () => {
  for (const scheme of ['http', 'ws']) {
    const address = `${streams.url.replace('http', scheme)}/{stream}.flv`;
    await player.addNode(`flv-${scheme}`, { server: 'generic', flv: address });
    expect(await player.play(`flv-${scheme}`, 'cam')).toBeLessThan(32);
    expect(await player.shows('player-codec')).toMatch(/H\.264 C?BP.* · AAC/);
    expect(await player.shows('player-size')).toBe('320 × 240');
    await player.stop();
    await until('the viewer has left', () => Promise.resolve(streams.viewers() === 0));
  }
});

it('plays MJPEG', async () => {
  await player.addNode('camera', { server: 'generic', mjpeg: `${streams.url}/{stream}.mjpeg` });
  expect(await player.play('camera', 'cam')).toBeLessThan(32);
  expect(await player.shows('player-codec')).toContain('JPEG');
  await player.stop();
  await until('the viewer has left', () => Promise.resolve(streams.viewers() === 0));
});

it('plays HLS of nginx-rtmp, and its RTMP repackaged', async () => {
  const publishing = nginx.publish('live/cam', 60);
  await player.addNode('nginx', { server: 'nginx-rtmp', url: nginx.url, rtmp: nginx.rtmp, hls: nginx.hls });
  await until('the playlist', async () => (await fetch(nginx.hls.replace('{stream}', 'cam'))).ok);
  await player.play('nginx', 'cam');
  expect(await player.shows('player-segments')).toMatch(/buffer/);
  await player.page.getByLabel('Protocol').selectOption('rtmp');
  await until('RTMP', async () => (await player.shows('player')).includes('repackaged by ffmpeg on this machine'));
  await player.play('nginx', 'cam');
  expect(await player.shows('player-size')).toBe('320 × 240');
  await publishing.end();
  await until('the reason', async () =>
    /cam stopped sending media|no media of cam/.test(await player.shows('player-picture')),
  );
  await player.stop();
});

it('plays a room of LiveKit', async () => {
  await player.addLiveKit('sfu');
  const stage = { node: 'sfu', stream: 'stage', source: 'sample-240p', by: 'local' };
  await player.engine.client.call('publish.start', stage);
  await player.play('sfu', 'stage');
  expect(await player.shows('player-codec')).toMatch(/H\.264.* · Opus/);
  await until('an RTT', async () => (await player.shows('player-rtt')).includes('ms'));
  await player.stop();
});

it('refuses addresses of other hosts', async () => {
  const order = {
    connection: 'c1',
    node: 'camera',
    stream: 'cam',
    kind: 'http',
    url: 'http://127.0.0.1:1/cam',
  } as const;
  await expect(player.engine.client.call('player.connect', order)).rejects.toThrow(
    'The stream refers to http://127.0.0.1:1, which is not an address of camera; nothing is fetched from there.',
  );
});

it('works under the strict content security policy', () => {
  expect(player.errors).toEqual([]);
});
