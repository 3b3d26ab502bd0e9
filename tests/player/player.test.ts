import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../e2e/app';
import { framesOfCodecs } from './codecs';
import { openPlayerPage, type PlayerPage } from './playerPage';
import { driveByVendorSdk } from './vendorSdk';

/**
 * The control player and the publisher in the real runtime, over real loopback connections. Timeouts and expected
 * figures allow for slow machines.
 */
let player: PlayerPage;

beforeAll(async () => {
  player = await openPlayerPage();
});
afterAll(async () => {
  await player.close();
});

const state = (): Promise<string | undefined> =>
  player.page.evaluate(() => document.querySelector<HTMLElement>('[data-testid=player]')?.dataset['state']);

function untilState(wanted: string): Promise<boolean> {
  return until(`the player is ${wanted}`, async () => (await state()) === wanted);
}

/** The latest report that meets the condition. */
function reportWith(
  name: 'stallMs' | 'playerFrameRate' | 'playerDelayMs' | 'playerSsim' | 'playerPsnrDb',
  least: number,
): Promise<number> {
  return until(`a report with ${name} of ${least} or more`, () =>
    player.page.evaluate(
      ([field, value]) =>
        window.playerPage.engine.reports
          .map((report) => (field === 'stallMs' ? report.stallMs : report.values[field]))
          .reverse()
          .find((seen) => seen !== undefined && seen >= value),
      [name, least] as const,
    ),
  );
}

describe('the control player', () => {
  it('shows an empty state while nothing is published', async () => {
    await until('the text of the empty state', () =>
      player.page.getByText('Video plays here once a stream is published').isVisible(),
    );
    expect(await state()).toBe('idle');
  });

  it('plays and measures the test pattern published by this window', async () => {
    await player.page.evaluate(async () => {
      const { playerPage } = window;
      await playerPage.publish('pattern');
      Object.assign(playerPage.props, { stream: 'cam', runId: 'run-1', runStartedMs: Date.now() });
    });
    await untilState('playing');
    expect(await reportWith('playerFrameRate', 20)).toBeLessThan(32);
    const glass = await until('glass to glass', async () => {
      const row = player.page.getByTestId('player-glass');
      return (await row.count()) > 0 && row.innerText();
    });
    expect(glass).toMatch(/p50 [\d,]+ ms\s+p95 [\d,]+ ms ± \d+/);
    // The encoder starts with a lower resolution and increases it with the estimated bandwidth.
    expect(await player.page.getByTestId('player-size').innerText()).toMatch(/^\d+ × \d+$/);
    expect(await player.page.getByTestId('player-codec').innerText()).toMatch(/\w+.* · Opus 48 kHz/);
    const sent = await player.page.evaluate(() => window.playerPage.published.figures.at(-1));
    expect(sent?.layers[0]?.codec).toBe('H.264 CBP');
  });

  it('reads the clock of every frame, in a worker', async () => {
    const counts = (): Promise<{ presented: number; read: number }> =>
      player.page.evaluate(
        () =>
          new Promise((resolve) =>
            document.querySelector('video')?.requestVideoFrameCallback((_now, { presentedFrames }) => {
              const title = document.querySelector('[data-testid=player-glass]')?.parentElement?.title;
              resolve({
                presented: presentedFrames,
                read: Number(/([\d,]+) frames/.exec(title ?? '')?.[1]?.replace(',', '')),
              });
            }),
          ),
      );
    const before = await counts();
    await player.page.waitForTimeout(4000);
    const after = await counts();
    const presented = after.presented - before.presented;
    expect(presented).toBeGreaterThan(40);
    // The shown count is up to a second old at both ends, and a busy machine skips frames rather than queueing them.
    expect(after.read - before.read).toBeGreaterThan(presented * 0.6);
    expect(await reportWith('playerDelayMs', 1)).toBeLessThan(2000);
  });

  it('draws the frames of the test pattern again as they were drawn', async () => {
    const figures = await player.page.evaluate(() => window.playerPage.unencodedPicture(20));
    expect(figures).toHaveLength(20);
    for (const figure of figures) {
      expect(figure).toEqual({
        ...{ ssim: expect.any(Number) as number, psnrDb: expect.any(Number) as number },
        ...{ blockiness: expect.any(Number) as number, blur: expect.any(Number) as number, fault: undefined },
      });
      expect(figure?.ssim).toBeGreaterThan(0.99);
      expect(figure?.psnrDb).toBeGreaterThan(40);
    }
  });

  it('compares the picture with the frame as drawn, and sees a lower bitrate', async () => {
    const { page } = player;
    const limit = (bitsPerSecond: number): Promise<void> =>
      page.evaluate((limit) => window.playerPage.engine.limitViewers(limit), bitsPerSecond);
    await limit(1_500_000);
    // With another matrix than that of the encoder's it would be below 30 dB.
    const goodDb = await reportWith('playerPsnrDb', 37);
    const goodSsim = await reportWith('playerSsim', 0.97);
    await limit(50_000);
    await until('a worse picture', () =>
      page.evaluate(
        ([psnrDb, ssim]) => {
          const { playerPsnrDb = 100, playerSsim = 1 } = window.playerPage.engine.reports.at(-1)?.values ?? {};
          return playerPsnrDb < psnrDb - 4 && playerSsim < ssim - 0.01;
        },
        [goodDb, goodSsim] as const,
      ),
    );
    await page.getByText('Picture quality').click();
    await until('the rows', async () => /^\d+\.\d\sdB$/.test(await page.getByTestId('player-psnr').innerText()));
    expect(await page.getByTestId('player-ssim').innerText()).toMatch(/^0\.\d{3}$/);
    expect(await page.getByTestId('player-blockiness').innerText()).toMatch(/^\d+\.\d+$/);
    expect(await page.getByTestId('player-blur').innerText()).toMatch(/^0\.\d\d$/);
    await limit(1_500_000);
  });

  it('reports a black picture when it begins and when it ends', async () => {
    const faults = (): Promise<unknown[]> =>
      player.page.evaluate(() => window.playerPage.engine.reports.flatMap((report) => report.faults ?? []));
    const blacken = (isBlack: boolean): Promise<void> =>
      player.page.evaluate((wanted) => window.playerPage.engine.blackenMedia(wanted), isBlack);
    expect(await faults()).toEqual([]);
    await blacken(true);
    await until('the fault', () => player.page.getByText('Picture is black').isVisible());
    await blacken(false);
    await until('its end', async () => (await faults()).length === 2);
    const lengthMs = expect.any(Number) as number;
    expect(await faults()).toEqual([
      { kind: 'black', lengthMs, isOver: false },
      { kind: 'black', lengthMs, isOver: true },
    ]);
    await until('the picture', async () => !(await player.page.getByText('Picture is black').isVisible()));
  });

  it('saves a still with its picture', async () => {
    await player.page.getByRole('button', { name: /^Still/ }).click();
    const still = await until('a still', () =>
      player.page.evaluate(() => window.playerPage.engine.stills.at(0)?.still),
    );
    expect(still).toMatchObject({ cause: 'saved', mime: 'image/png' });
    expect(still.bytes).toBeGreaterThan(1000);
  });

  it('records a stall with its length, and saves its picture', async () => {
    await player.page.evaluate(async () => {
      const { engine } = window.playerPage;
      engine.pauseMedia(true);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      engine.pauseMedia(false);
    });
    expect(await reportWith('stallMs', 500)).toBeGreaterThan(1000);
    const causes = await until('the still of the stall', () =>
      player.page.evaluate(() => {
        const all = window.playerPage.engine.stills.map(({ still }) => still.cause);
        return all.length > 1 && all;
      }),
    );
    expect(causes[1]).toMatch(/^stall \d\.\d s$/);
  });

  it('maximizes the picture and restores it', async () => {
    const width = (): Promise<number> =>
      player.page.evaluate(() => document.querySelector('[data-testid=player-picture]')?.clientWidth ?? 0);
    const before = await width();
    await player.page.getByTestId('player-picture').dblclick();
    expect(await width()).toBeGreaterThan(2 * before);
    await player.page.keyboard.press('Escape');
    expect(await width()).toBe(before);
  });

  it('reports that the stream ended, and recovers with it', async () => {
    await player.page.evaluate(() => {
      const { engine } = window.playerPage;
      engine.refuseViewers = true;
      engine.endViewers();
    });
    await until('the reason', () => player.page.getByText('page has no stream cam at the moment.').isVisible());
    expect(await player.page.getByTestId('player-fps').innerText()).toBe('–');
    expect(await player.page.getByTestId('player-stalls').innerText()).not.toBe('–');
    await player.page.evaluate(() => {
      window.playerPage.engine.refuseViewers = false;
    });
    await untilState('playing');
  });

  it('closes all sessions', async () => {
    await player.page.evaluate(async () => {
      window.playerPage.props.stream = null;
      await window.playerPage.session?.end();
    });
    await untilState('idle');
    await until('all sessions ended', () => player.page.evaluate(() => window.playerPage.engine.sessions() === 0));
    expect(await player.page.evaluate(() => window.playerPage.published.ended.map((why) => why ?? 'as asked'))).toEqual(
      ['as asked'],
    );
  });

  it('does not count a busy window as a stall', async () => {
    await player.page.evaluate(async () => {
      const { playerPage } = window;
      await playerPage.publish('camera');
      Object.assign(playerPage.props, { stream: 'cam', runId: 'run-2', runStartedMs: Date.now() });
      playerPage.engine.reports.length = 0;
    });
    await untilState('playing');
    await reportWith('playerFrameRate', 10);
    const before = await player.page.evaluate(() => window.playerPage.engine.reports.length);
    await player.page.evaluate(() => {
      const startMs = performance.now();
      while (performance.now() - startMs < 900);
    });
    await until('three more reports', () =>
      player.page.evaluate((count) => window.playerPage.engine.reports.length >= count + 3, before),
    );
    const stalledMs = await player.page.evaluate(
      (count) => window.playerPage.engine.reports.slice(count).map((report) => report.stallMs ?? 0),
      before,
    );
    expect(Math.max(...stalledMs)).toBe(0);
  });

  it('counts the same frames as viewers of an agent, whatever the codec', async () => {
    const results = await framesOfCodecs(player.page);
    for (const { codec, chromium, viewer } of results) {
      expect(viewer.frames, codec).toBeGreaterThan(90);
      for (const { frames, sent } of [chromium, viewer])
        expect(Math.abs(frames - sent) / sent, JSON.stringify(results)).toBeLessThanOrEqual(0.01);
      // A frame more or less in 4 s is 1 % by itself.
      expect(Math.abs(viewer.fps - chromium.fps) / chromium.fps, JSON.stringify(results)).toBeLessThan(0.03);
    }
  });

  it('works under the strict content security policy', () => {
    expect(player.errors).toEqual([]);
  });
});

it("the vendor's SDK publishes, plays and loads the stand-in of its server", async () => {
  const result = await driveByVendorSdk(player.openWindow);
  expect(result.published).toEqual(['PUBLISHING', 'UNPUBLISHED']);
  expect(result.played).toEqual(['PENDING', 'PLAYING', 'STOPPED']);
  expect(result.unknown).toEqual(['PENDING', 'FAILED']);
  expect(result).toMatchObject({
    ...{ endedBy: 'Stopped by rest terminate', connections: 4, pulls: 5, left: 0, agents: [1] },
    metrics: { VIDEO_FPS: expect.any(Number) as number, VIDEO_B_FRAMES: 0 },
    statistics: {
      connection: { connections_websocket: '9' },
      stream: { streams_webrtc_in: '1', streams_webrtc_out: '6' },
    },
  });
  expect(result.frames).toBeGreaterThan(20);
  expect(result.audioPackets).toBeGreaterThan(20);
});
