import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { vmafFolder } from '../../scripts/setup/vmaf.mjs';
import { engineEvents, type EngineCallName, type EngineEventName } from '../../src/contract/engine';
import type { NodeSettings } from '../../src/domain/model/nodeSettings';
import type { SeriesId } from '../../src/domain/series/series';
import { openRunLibrary, type RunReader } from '../../src/engine/store';
import { until } from '../e2e/app';
import { startLiveKit } from '../integration/servers/livekit';
import { startNginxRtmp, type NginxRtmp } from '../integration/servers/nginxRtmp';
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
import { openPlayerPage, type PlayerPage } from './playerPage';
import { startStreamServer, type StreamServer } from './streamServer';

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
  await player.page.evaluate(() => window.playerPage.publish('pattern', 'lab', 'clock'));
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
  await player.page.evaluate(() => Promise.all([window.playerPage.relayed?.end(), window.playerPage.session?.end()]));
  expect(await player.page.evaluate(() => window.playerPage.published.ended)).toEqual([undefined, undefined]);
});

/** Of `npm run bench freezes`; enough here to see whether it works. */
const freezes = Number(process.env['FULLHOUSE_FREEZES'] ?? 2);
const freezeMs = 700;

it(
  'sees a freeze in the same second as browser viewers and audience',
  async () => {
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
    // Within the seconds after it: decoders continue at the next keyframe only, and each reports at its own time.
    const found = pausedMs.map((atMs) =>
      Object.values(seen).map((times) => times.some((timeMs) => timeMs >= atMs && timeMs < atMs + freezeMs + 3000)),
    );
    console.log(`Freezes seen by ${Object.keys(seen).join(', ')}:\n${found.map((each) => each.join(' ')).join('\n')}`);
    expect(found.flat()).not.toContain(false);
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
