import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { vmafFolder } from '../../scripts/setup/vmaf.mjs';
import { engineEvents, type EngineCallName, type EngineEventName } from '../../src/contract/engine';
import type { LocalSource } from '../../src/domain/model/localSources';
import type { NodeSettings } from '../../src/domain/model/nodeSettings';
import type { SeriesId } from '../../src/domain/series/series';
import { openRunLibrary, type RunReader } from '../../src/engine/store';
import type { PublisherFigures } from '../../src/renderer/player/publish/publisherStats';
import { until } from '../e2e/app';
import { freePorts, startLiveKit } from '../integration/servers/livekit';
import { startNginxRtmp, type NginxRtmp } from '../integration/servers/nginxRtmp';
import { startStandinWcs } from '../standins/wcs';
import {
  cleanUp,
  engineInTemporaryFolder,
  later,
  planOf,
  temporaryFolder,
  viewerPageFolder,
  waitForRun,
  type TestEngine,
} from '../integration/support';
import { decoded, encoded } from '../../src/contract/bytesInJson';
import type { PublishOptions } from './page/main';
import { agentOf } from './agents';
import { openPlayerPage, type PlayerPage } from './playerPage';
import { startStreamServer, type StreamServer } from './streamServer';
import { useLab } from './vendorSdk';

/** The control player on real servers: each protocol, through the engine, under the window's policy. */
let player: PlayerPage;
let engine: TestEngine;
let nginx: NginxRtmp;
let streams: StreamServer;

beforeAll(async () => {
  engine = engineInTemporaryFolder({ viewerPageFolder });
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

async function stop(): Promise<void> {
  await player.page.evaluate(() => {
    window.playerPage.props.stream = null;
  });
}

/** Publishes from the window; `file` is the one of the page's input. */
async function publish(kind: LocalSource, options: Omit<PublishOptions, 'file'>): Promise<void> {
  await player.page.evaluate(
    ([source, order]) => {
      window.playerPage.published.ended.length = 0;
      const [file] = document.querySelector<HTMLInputElement>('#file')?.files ?? [];
      return window.playerPage.publish(source, { ...order, ...(file && { file }) });
    },
    [kind, options] as const,
  );
}

/** The figures of the publication, once they are as expected. */
function sent(isExpected: (figures: PublisherFigures) => boolean): Promise<PublisherFigures> {
  return until('figures of the publication', async () => {
    const figures = await player.page.evaluate(() => window.playerPage.published.figures.at(-1));
    return figures && isExpected(figures) ? figures : undefined;
  });
}

/** Stops playing and publishing. */
async function endPublishing(sessions = 1): Promise<void> {
  await stop();
  await player.page.evaluate(() => window.playerPage.endPublishing());
  expect(await player.page.evaluate(() => window.playerPage.published.ended)).toEqual(
    Array.from({ length: sessions }, () => undefined),
  );
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
  await player.page.evaluate(() =>
    window.playerPage.publish('pattern', { node: 'nginx', stream: 'clock', protocol: 'rtmp' }),
  );
  await play('nginx', 'clock');
  expect(await player.page.getByLabel('Protocol').inputValue()).toBe('rtmp');
  const delay = await until('the delay', async () => {
    const row = player.page.getByTestId('player-glass');
    return (await row.count()) > 0 && row.innerText();
  });
  expect(delay).toMatch(/p50 [\d,]+ ms/);
  // By ffmpeg's own counts.
  expect(await sent(({ fps = 0 }) => fps > 12)).toMatchObject({
    layers: [{ width: 640, height: 360, codec: 'H.264', encoder: undefined, limitedPercent: undefined }],
  });
  // Of several segments, each of which has parameter sets of its own.
  const decoded = execFileSync('ffprobe', [
    ...['-v', 'error', '-show_entries', 'stream=width', '-of', 'csv=p=0'],
    await until('the second segment', async () => {
      const playlist = await (await fetch(nginx.hls.replace('{stream}', 'clock'))).text();
      const [, second] = playlist.match(/^clock.*\.ts$/gm) ?? [];
      return second && new URL(second, nginx.hls).href;
    }),
  ]);
  expect(String(decoded)).toContain('640');
});

it('measures VMAF of the test pattern', async () => {
  const { page } = player;
  const shown = page.getByTestId('vmaf');
  await page.getByText('Picture quality').click();
  await page.getByRole('button', { name: 'Measure VMAF' }).click();
  await until('recording', async () => (await shown.getAttribute('data-state')) === 'recording');
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await shown.getAttribute('data-state')).toBe('idle');

  vi.stubEnv('PATH', `${vmafFolder}:${process.env['PATH']}`);
  await page.getByRole('button', { name: 'Measure VMAF' }).click();
  const result = await until('the result', async () => {
    const state = await shown.getAttribute('data-state');
    if (state === 'failed') throw new Error(await shows('picture-quality'));
    return state === 'done' && shows('picture-quality');
  });
  vi.unstubAllEnvs();
  const [, mean = '', min = '', harmonic = ''] =
    /VMAF\s+([\d.]+)\s+min ([\d.]+)\s+harmonic ([\d.]+)/.exec(result) ?? [];
  // 640 x 360 at 1.5 Mbit/s.
  expect(Number(mean)).toBeGreaterThan(80);
  expect(Number(mean)).toBeLessThanOrEqual(100);
  expect(Number(min)).toBeLessThanOrEqual(Number(harmonic));
  expect(result).toMatch(/\d+ frames of 640 × 360.* · ffmpeg \S+ \(libvmaf \S+\) · vmaf_v0\.6\.1/);
  await stop();
  await until('the button', () => page.getByRole('button', { name: 'Measure VMAF' }).isDisabled());
});

it('plays side by side, one with sound, delayed to the slowest of them', async () => {
  await engine.client.call('lab.start', {});
  await player.page.evaluate(() => window.playerPage.publish('pattern', { node: 'lab', stream: 'clock' }));
  await player.page.evaluate(() =>
    window.playerPage.multiview([
      { node: 'lab', stream: 'clock' },
      { node: 'nginx', stream: 'clock', protocol: 'rtmp' },
      { node: 'nginx', stream: 'absent' },
    ]),
  );
  const lags = player.page.getByTestId('player-tile-lag');
  const delayMs = async (tile: number): Promise<number | undefined> => {
    const [, ms] = /^([\d,]+)\sms delay$/.exec(await lags.nth(tile).innerText()) ?? [];
    return ms === undefined ? undefined : Number(ms.replace(',', ''));
  };
  const [overWhep = 0, overRtmp = 0] = await until('both delays', async () => {
    const both = [await delayMs(0), await delayMs(1)];
    return both.every((each) => each !== undefined) && both;
  });
  expect(overRtmp).toBeGreaterThan(overWhep + 100);
  // One stream that does not exist disturbs only its own player.
  const tiles = player.page.getByTestId('player-tile');
  await until('the reason', async () => (await tiles.nth(2).innerText()).includes('Retrying every few seconds.'));

  await player.page.keyboard.press('y');
  await until(
    'synchronous players',
    async () => (await lags.allInnerTexts()).filter((text) => text === 'in sync').length === 2,
  );
  await player.page.keyboard.press('y');
  await until('the shortest delay again', async () => ((await delayMs(0)) ?? overRtmp) < overRtmp - 50);

  const heard = () =>
    player.page.evaluate(() =>
      [...document.querySelectorAll('video')].map(({ muted, volume }) => !muted && volume > 0.1),
    );
  const before = await heard();
  await player.page.keyboard.press('1');
  await player.page.keyboard.press('2');
  expect((await heard()).filter(Boolean)).toHaveLength(before.filter(Boolean).length + 1);
  await player.page.getByLabel('Remove player 3').click();
  expect(await player.page.evaluate(() => window.playerPage.played)).toHaveLength(2);
  await player.page.keyboard.press('Escape');
  await endPublishing(2);
});

it('publishes over SRT, until the server closes the connection', async () => {
  const [port] = await freePorts(4);
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
  await addNode('srt', { server: 'generic', srt: `${address}?streamid={stream}` });
  await publish('pattern', { node: 'srt', stream: 'cam', protocol: 'srt', media: { size: '426x240', audio: false } });
  await until('frames at the server', () => Promise.resolve(received > 25));
  expect((await sent(({ fps = 0 }) => fps > 12)).layers).toMatchObject([{ width: 426, height: 240, codec: 'H.264' }]);
  server.kill('SIGTERM');
  await until('the end', () => player.page.evaluate(() => window.playerPage.published.ended.length > 0));
  expect(await player.page.evaluate(() => window.playerPage.published.ended)).toEqual([
    expect.stringMatching(/^srt ended cam, or refused it: /),
  ]);
});

it('publishes H.264 and VP8 to the lab over WHIP, in one layer', async () => {
  await engine.client.call('lab.start', {});
  await publish('pattern', { node: 'lab', stream: 'low', media: { codec: 'h264', size: '426x240', maxKbps: 100 } });
  await play('lab', 'low');
  expect(await shows('player-codec')).toMatch(/H\.264 CBP .* · Opus/);
  expect(await shows('player-size')).toBe('426 × 240');
  // The clock row is read at this bitrate too.
  await until('the delay', async () => (await player.page.getByTestId('player-glass').count()) > 0);
  await endPublishing();

  // A bitrate at which Chromium would make the picture smaller.
  const media = { codec: 'vp8', size: '1280x720', maxKbps: 300, layers: 2, audio: false } as const;
  await publish('pattern', { node: 'lab', stream: 'high', media });
  expect(await player.page.evaluate(() => window.playerPage.session?.remark)).toBe(
    'lab takes no simulcast: one layer is sent.',
  );
  await play('lab', 'high');
  expect(await shows('player-codec')).toMatch(/^VP8 libvpx$/);
  expect(await shows('player-size')).toBe('1280 × 720');
  const { layers, rttMs } = await sent(({ layers: [layer] }) => (layer?.fps ?? 0) > 12);
  expect(layers).toMatchObject([{ name: undefined, width: 1280, height: 720, codec: 'VP8', encoder: 'libvpx' }]);
  expect(layers[0]?.limitedPercent).toBeDefined();
  expect(rttMs).toBeLessThan(1000);
  const { jobs } = await engine.client.call('engine.state', {});
  expect(jobs).toMatchObject([{ kind: 'publish', node: 'lab', stream: 'high', source: 'pattern', state: 'holding' }]);
  await endPublishing();
});

it("publishes over a WCS's own signalling, until the server ends the stream", async () => {
  const [server, lab] = await Promise.all([startStandinWcs(), agentOf('lab')]);
  later(() => server.close());
  later(() => lab.end());
  useLab(server, lab);
  await addNode('wcs-1', { server: 'wcs', url: server.url, ws: server.ws });
  await publish('camera', { node: 'wcs-1', stream: 'cam', protocol: 'wcs', media: { codec: 'vp8', size: '640x360' } });
  await play('wcs-1', 'cam');
  expect(await player.page.getByLabel('Protocol').inputValue()).toBe('wcs');
  expect(await shows('player-codec')).toMatch(/VP8 .* · Opus/);
  expect((await sent(({ fps = 0 }) => fps > 12)).layers).toMatchObject([{ width: 640, height: 360, codec: 'VP8' }]);
  await stop();
  await engine.client.call('nodes.terminate', { node: 'wcs-1', stream: 'cam' });
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
  await publish('file', { node: 'lab', stream: 'loop', media: { size: '426x240' } });
  await play('lab', 'loop');
  await player.page.waitForTimeout(2000); // the file has ended twice
  const figures = await sent(({ fps = 0 }) => fps > 12);
  expect(figures.layers).toMatchObject([{ width: 320, height: 240, codec: 'H.264 CBP' }]);
  expect(await shows('player-codec')).toMatch(/H\.264.* · Opus/);
  await endPublishing();

  await player.page.setInputFiles('#file', __filename);
  await expect(publish('file', { node: 'lab', stream: 'loop' })).rejects.toThrow(
    /"protocols\.test\.ts" can't be played: choose an MP4, WebM or MKV file/,
  );
});

/** Of `npm run bench freezes`; enough here to see whether it works. */
const freezes = Number(process.env['FULLHOUSE_FREEZES'] ?? 2);
const freezeMs = 700;

it(
  'sees a freeze in the same second as browser viewers and audience',
  async ({ task }) => {
    const hold = { ratePerSecond: 20, holdMs: 10_000 + freezes * 5000 };
    const viewers = 20;
    const { node, stream } = { node: 'lab', stream: 'freezing' };
    const publish = [{ stream, node, source: 'sample-240p' }];
    const plan = planOf(
      { from: node, by: ['local'], stream, viewers, ...hold, browserViewers: 2 },
      { nodes: { lab: { server: 'lab' }, local: { tester: 'local' } }, publish },
    );
    const end = waitForRun(engine, ({ state }) => state === 'ended', 60_000 + hold.holdMs);
    const { run } = await engine.client.call('runs.start', { plan });
    const { startedMs } = await waitForRun(engine, ({ figures }) => figures.connected === viewers);
    await player.page.evaluate(
      ([id, runStartedMs]) => {
        window.playerPage.engine.recordsReal = true;
        Object.assign(window.playerPage.props, {
          node: { id: 'lab', name: 'lab' },
          stream: 'freezing',
          runId: id,
          runStartedMs,
        });
      },
      [run, startedMs] as const,
    );
    await until('the control player', async () => (await shows('player-fps')).startsWith('2'));
    await waitForRun(engine, ({ browserViewers }) => (browserViewers?.watched ?? 0) > 0);
    const pausedMs: number[] = [];
    for (let index = 0; index < freezes; index += 1) {
      await new Promise((resolve) => setTimeout(resolve, 4000));
      pausedMs.push(Date.now());
      await engine.client.call('lab.conditions', { stream, lossPercent: 100, noRepair: true });
      await new Promise((resolve) => setTimeout(resolve, freezeMs));
      await engine.client.call('lab.conditions', { stream, lossPercent: 0, noRepair: false });
    }
    await end;
    await player.page.evaluate(() => {
      Object.assign(window.playerPage.props, { stream: null, runId: undefined });
      window.playerPage.engine.recordsReal = false;
    });
    const reader = openRunLibrary(engine.folder).open(run);
    later(() => reader.close());
    const seen = freezeTimes(reader);
    // Decoders continue at the next keyframe only, and each reports once a second at its own time.
    const reportedMs = pausedMs.map((atMs) =>
      Object.fromEntries(
        Object.entries(seen).map(([by, times]) => {
          const first = times.find((timeMs) => timeMs >= atMs && timeMs < atMs + freezeMs + 3000);
          return [by, first === undefined ? null : Math.round(first - atMs)] as const;
        }),
      ),
    );
    Object.assign(task.meta, { freezes: reportedMs });
    expect(
      reportedMs.flatMap((each) => Object.values(each)),
      JSON.stringify(reportedMs),
    ).not.toContain(null);
  },
  120_000 + freezes * 6000,
);

/** When control player, browser viewers and audience reported a freeze. */
function freezeTimes(reader: RunReader): Readonly<Record<string, readonly number[]>> {
  const rises = (node: string, series: SeriesId, by: number): number[] => {
    const { timeMs, value } = reader.values(node, series);
    return timeMs.filter((_, index) => (value[index] ?? 0) - (value[index - 1] ?? 0) >= by);
  };
  return {
    player: rises('lab', 'playerFreezes', 1),
    browsers: rises('lab', 'browserFreezes', 1),
    // Of twenty viewers; a few may report it a second later.
    audience: rises('local', 'freezesTotal', 10),
  };
}

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

it('publishes layers in a room of LiveKit, by its own client and over WHIP', async () => {
  const media = { codec: 'vp8', size: '1280x720', layers: 2 } as const;
  await publish('pattern', { node: 'sfu', stream: 'layers', protocol: 'livekit', media });
  await play('sfu', 'layers');
  const hasBoth = ({ layers }: PublisherFigures): boolean => layers.every(({ fps = 0 }) => fps > 12);
  expect((await sent(hasBoth)).layers).toMatchObject([
    { name: 'h', width: 1280, height: 720, codec: 'VP8' },
    { name: 'q', width: 640, height: 360, codec: 'VP8' },
  ]);
  const layer = player.page.getByLabel('Layer');
  for (const [id, size] of [
    ['layer-1', '1280 × 720'],
    ['layer-0', '640 × 360'],
  ] as const) {
    await layer.selectOption(id);
    await until(size, async () => (await shows('player-size')) === size);
  }
  // Stopped elsewhere: the server removes the participant, whatever the window does.
  const { jobs } = await engine.client.call('engine.state', {});
  await engine.client.call('publish.stop', { job: jobs.find(({ stream }) => stream === 'layers')?.id ?? '' });
  await until('the end', () => player.page.evaluate(() => window.playerPage.published.ended.length > 0));
  expect(await player.page.evaluate(() => window.playerPage.published.ended)).toEqual([
    'sfu ended the publication in the room layers.',
  ]);
  await stop();

  await publish('pattern', { node: 'sfu', stream: 'whip', media: { ...media, codec: 'h264' } });
  expect((await sent(hasBoth)).layers).toMatchObject([
    { name: 'h', width: 1280, height: 720, codec: 'H.264 CBP' },
    { name: 'q', width: 640, height: 360, codec: 'H.264 CBP' },
  ]);
  await endPublishing();
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
