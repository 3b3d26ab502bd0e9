import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../e2e/app';
import { startHlsServer, type HlsServer } from './hlsServer';
import { openPlayerPage, type PlayerPage } from './playerPage';

/** The control player on a real HLS stream, in the real runtime and under the window's policy, without fixed delays. */
let player: PlayerPage;
let server: HlsServer;

declare global {
  interface Window {
    fetchOutside(url: string): Promise<{ status: number; base64: string }>;
  }
}

beforeAll(async () => {
  server = await startHlsServer();
  player = await openPlayerPage();
  await player.page.exposeFunction('fetchOutside', async (url: string) => {
    const answer = await fetch(url);
    return { status: answer.status, base64: Buffer.from(await answer.arrayBuffer()).toString('base64') };
  });
});
afterAll(async () => {
  await player.close();
  await server.close();
});

const shows = (testId: string): Promise<string> => player.page.getByTestId(testId).innerText();
function untilState(wanted: string): Promise<boolean> {
  return until(`the player is ${wanted}`, () =>
    player.page.evaluate(
      (kind) => document.querySelector<HTMLElement>('[data-testid=player]')?.dataset['state'] === kind,
      wanted,
    ),
  );
}

describe('the control player on HLS', () => {
  it('plays, with requests through the engine only', async () => {
    await player.page.evaluate((url) => {
      const { playerPage } = window;
      playerPage.engine.hls = { address: () => url, fetch: (piece) => window.fetchOutside(piece) };
      Object.assign(playerPage.props, { stream: 'cam', runId: 'run-1', runStartedMs: Date.now() });
    }, server.url);
    await untilState('playing');
    expect(server.asked).toContain('cam.m3u8');
    expect(server.asked.some((name) => name.endsWith('.ts'))).toBe(true);
    expect(await player.page.getByText('HLS', { exact: true }).isVisible()).toBe(true);
  });

  it('shows available figures, and a dash for WebRTC-only ones', async () => {
    const fps = await until('a frame rate', () =>
      player.page.evaluate(() =>
        window.playerPage.engine.reports
          .map((report) => report.values.playerFrameRate)
          .reverse()
          .find((seen) => seen !== undefined && seen >= 18),
      ),
    );
    expect(fps).toBeLessThan(32);
    await until('a bitrate', async () => /^[\d,]+ kbit\/s$/.test((await shows('player-bitrate')).replace(/\s/g, ' ')));
    const kbps = Number((await shows('player-bitrate')).replace(/[^\d]/g, ''));
    // Encoded at 300 kbit/s video and 64 kbit/s audio, in MPEG-TS.
    expect(kbps).toBeGreaterThan(100);
    expect(kbps).toBeLessThan(1500);
    expect(await shows('player-size')).toBe('320 × 240');
    expect(await shows('player-codec')).toMatch(/H\.264 C?BP.* · AAC/);
    await until('a count of dropped frames', async () => /^\d/.test(await shows('player-dropped')));
    expect(await shows('player-segments')).toMatch(/\d+\.\d\ss\s+buffer\s+\d+\.\d\ss\s+level 1 of 1/);
    for (const testId of ['player-jitter', 'player-rtt', 'player-lost']) expect(await shows(testId)).toBe('–');
  });

  it('measures the audio level although it is muted', async () => {
    await until('a level', () =>
      player.page.evaluate(() => {
        const bar = document.querySelector<HTMLElement>('[aria-label^="Peak level"] .level');
        return Number(/scaleX\(([\d.]+)\)/.exec(bar?.style.transform ?? '')?.[1]) > 0.1;
      }),
    );
  });

  it('saves a still', async () => {
    await player.page.getByRole('button', { name: /^Still/ }).click();
    const still = await until('a still', () =>
      player.page.evaluate(() => window.playerPage.engine.stills.at(0)?.still),
    );
    expect(still.bytes).toBeGreaterThan(1000);
  });

  it('records a stall when segments are missing', async () => {
    server.pause(true);
    const stalled = await until('a stall', () =>
      player.page.evaluate(
        () => Number(document.querySelector('[data-testid=player-stalls]')?.textContent?.match(/^\d+/)?.[0]) > 0,
      ),
    );
    expect(stalled).toBe(true);
    server.pause(false);
    await untilState('playing');
  });

  it('shows the reason while nothing plays, and recovers', async () => {
    server.refuseWith = 404;
    await player.page.evaluate(() => {
      window.playerPage.props.stream = null;
    });
    await untilState('idle');
    await player.page.evaluate(() => {
      window.playerPage.props.stream = 'cam';
    });
    await until('the reason', () => player.page.getByText('page has no playlist of cam.').isVisible());
    server.refuseWith = undefined;
    await untilState('playing');
  });

  it('closes all sessions', async () => {
    await player.page.evaluate(() => {
      window.playerPage.props.stream = null;
    });
    await untilState('idle');
    const asked = server.asked.length;
    await player.page.waitForTimeout(2500);
    expect(server.asked.length).toBe(asked);
    expect(await player.page.evaluate(() => document.querySelector('video')?.hasAttribute('src'))).toBe(false);
  });

  it('works under the strict content security policy', () => {
    expect(player.errors).toEqual([]);
  });
});
