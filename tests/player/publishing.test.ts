import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PublisherFigures } from '../../src/renderer/player/publish/publisherStats';
import { until } from '../e2e/app';
import { freePort } from '../integration/servers/freePort';
import { cleanUp, later, temporaryFolder } from '../integration/support';
import { startStandinWcs } from '../standins/wcs';
import { agentOf } from './agents';
import { RealPlayer } from './realPlayer';
import { useLab } from './vendorSdk';

/** Publishing from the window to real servers. */
let player: RealPlayer;

beforeAll(async () => {
  player = await RealPlayer.open();
});
afterAll(cleanUp);

it('publishes over SRT, until the server closes the connection', async () => {
  const port = await freePort();
  const address = `srt://127.0.0.1:${port}`;
  const [input, output] = [
    ['-analyzeduration', '200000', '-f', 'mpegts', '-i', `${address}?mode=listener`],
    ['-progress', 'pipe:1', '-f', 'null', '-'],
  ];
  const server = spawn('ffmpeg', ['-nostdin', '-loglevel', 'error', ...input, ...output], { stdio: 'pipe' });
  later(() => void server.kill('SIGKILL'));
  let received = 0;
  server.stdout.on(
    'data',
    (text: Buffer) => (received = Number(/^frame=(\d+)/m.exec(text.toString())?.[1] ?? received)),
  );
  await player.addNode('srt', { server: 'generic', srt: `${address}?streamid={stream}` });
  await player.publish('pattern', {
    node: 'srt',
    stream: 'cam',
    protocol: 'srt',
    media: { size: '426x240', audio: false },
  });
  await until('frames at the server', () => Promise.resolve(received > 25));
  expect((await player.sent(({ fps = 0 }) => fps > 12)).layers).toMatchObject([
    { width: 426, height: 240, codec: 'H.264' },
  ]);
  server.kill('SIGTERM');
  await until('the end', () => player.page.evaluate(() => window.playerPage.published.ended.length > 0));
  expect(await player.page.evaluate(() => window.playerPage.published.ended)).toEqual([
    expect.stringMatching(/^srt ended cam, or refused it: /),
  ]);
});

it('publishes H.264 and VP8 to the lab over WHIP, in one layer', async () => {
  await player.engine.client.call('lab.start', {});
  await player.publish('pattern', {
    node: 'lab',
    stream: 'low',
    media: { codec: 'h264', size: '426x240', maxKbps: 100 },
  });
  await player.play('lab', 'low');
  expect(await player.shows('player-codec')).toMatch(/H\.264 CBP .* · Opus/);
  expect(await player.shows('player-size')).toBe('426 × 240');
  // The clock row is read at this bitrate too.
  await until('the delay', async () => (await player.page.getByTestId('player-glass').count()) > 0);
  await player.endPublishing();

  // A bitrate at which Chromium would make the picture smaller.
  const media = { codec: 'vp8', size: '1280x720', maxKbps: 300, layers: 2, audio: false } as const;
  await player.publish('pattern', { node: 'lab', stream: 'high', media });
  expect(await player.page.evaluate(() => window.playerPage.session?.remark)).toBe(
    'lab takes no simulcast: one layer is sent.',
  );
  await player.play('lab', 'high');
  expect(await player.shows('player-codec')).toMatch(/^VP8 libvpx$/);
  expect(await player.shows('player-size')).toBe('1280 × 720');
  const { layers, rttMs } = await player.sent(({ layers: [layer] }) => (layer?.fps ?? 0) > 12);
  expect(layers).toMatchObject([{ name: undefined, width: 1280, height: 720, codec: 'VP8', encoder: 'libvpx' }]);
  expect(layers[0]?.limitedPercent).toBeDefined();
  expect(rttMs).toBeLessThan(1000);
  const { jobs } = await player.engine.client.call('engine.state', {});
  expect(jobs).toMatchObject([{ kind: 'publish', node: 'lab', stream: 'high', source: 'pattern', state: 'holding' }]);
  await player.endPublishing();
});

it("publishes over a WCS's own signalling, until the server ends the stream", async () => {
  const [server, lab] = await Promise.all([startStandinWcs(), agentOf('lab')]);
  later(() => server.close());
  later(() => lab.end());
  useLab(server, lab);
  await player.addNode('wcs-1', { server: 'wcs', url: server.url, ws: server.ws });
  await player.publish('camera', {
    node: 'wcs-1',
    stream: 'cam',
    protocol: 'wcs',
    media: { codec: 'vp8', size: '640x360' },
  });
  await player.play('wcs-1', 'cam');
  expect(await player.page.getByLabel('Protocol').inputValue()).toBe('wcs');
  expect(await player.shows('player-codec')).toMatch(/VP8 .* · Opus/);
  expect((await player.sent(({ fps = 0 }) => fps > 12)).layers).toMatchObject([
    { width: 640, height: 360, codec: 'VP8' },
  ]);
  await player.stop();
  await player.engine.client.call('nodes.terminate', { node: 'wcs-1', stream: 'cam' });
  await until('the end', () => player.page.evaluate(() => window.playerPage.published.ended.length > 0));
  expect(await player.page.evaluate(() => window.playerPage.published.ended)).toEqual([
    'wcs-1 ended cam: Stopped by rest terminate.',
  ]);
});

it('publishes a video file in a loop, scaled down in its own proportions', async () => {
  const clip = join(temporaryFolder(), 'clip.mp4');
  const video = ['-f', 'lavfi', '-i', 'testsrc=size=640x480:rate=25', '-f', 'lavfi', '-i', 'sine', '-t', '1'];
  execFileSync('ffmpeg', ['-loglevel', 'error', ...video, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', clip]);
  await player.page.setInputFiles('#file', clip);
  await player.publish('file', { node: 'lab', stream: 'loop', media: { size: '426x240' } });
  await player.play('lab', 'loop');
  await player.page.waitForTimeout(2000); // the file has ended twice
  const figures = await player.sent(({ fps = 0 }) => fps > 12);
  expect(figures.layers).toMatchObject([{ width: 320, height: 240, codec: 'H.264 CBP' }]);
  expect(await player.shows('player-codec')).toMatch(/H\.264.* · Opus/);
  await player.endPublishing();

  await player.page.setInputFiles('#file', __filename);
  await expect(player.publish('file', { node: 'lab', stream: 'loop' })).rejects.toThrow(
    /"publishing\.test\.ts" can't be played: choose an MP4, WebM or MKV file/,
  );
});

it('publishes layers in a room of LiveKit, by its own client and over WHIP', async () => {
  await player.addLiveKit('sfu');
  const media = { codec: 'vp8', size: '1280x720', layers: 2 } as const;
  await player.publish('pattern', { node: 'sfu', stream: 'layers', protocol: 'livekit', media });
  await player.play('sfu', 'layers');
  const hasBoth = ({ layers }: PublisherFigures): boolean => layers.every(({ fps = 0 }) => fps > 12);
  expect((await player.sent(hasBoth)).layers).toMatchObject([
    { name: 'h', width: 1280, height: 720, codec: 'VP8' },
    { name: 'q', width: 640, height: 360, codec: 'VP8' },
  ]);
  const layer = player.page.getByLabel('Layer');
  for (const [id, size] of [
    ['layer-1', '1280 × 720'],
    ['layer-0', '640 × 360'],
  ] as const) {
    await layer.selectOption(id);
    await until(size, async () => (await player.shows('player-size')) === size);
  }
  // Stopped elsewhere: the server removes the participant, whatever the window does.
  const { jobs } = await player.engine.client.call('engine.state', {});
  await player.engine.client.call('publish.stop', { job: jobs.find(({ stream }) => stream === 'layers')?.id ?? '' });
  await until('the end', () => player.page.evaluate(() => window.playerPage.published.ended.length > 0));
  expect(await player.page.evaluate(() => window.playerPage.published.ended)).toEqual([
    'sfu ended the publication in the room layers.',
  ]);
  await player.stop();

  await player.publish('pattern', { node: 'sfu', stream: 'whip', media: { ...media, codec: 'h264' } });
  expect((await player.sent(hasBoth)).layers).toMatchObject([
    { name: 'h', width: 1280, height: 720, codec: 'H.264 CBP' },
    { name: 'q', width: 640, height: 360, codec: 'H.264 CBP' },
  ]);
  await player.endPublishing();
});
