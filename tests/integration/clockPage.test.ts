import { writeFileSync } from 'node:fs';
import { get, request } from 'node:http';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { photoDelays } from '../../src/domain/clock/photoDelays';
import { clockAgeMs, decodeClock } from '../../src/domain/clock/clockRow';
import { findChromium } from '../../src/engine/base/chromium';
import { systemClock } from '../../src/engine/base/clock';
import { cellBrightness, clockRect } from '../../src/renderer/player/clock/clockPicture';
import { until } from '../support/until';
import { cleanUp, engineInTemporaryFolder, later, temporaryFolder, type TestEngine } from './support';

afterEach(cleanUp);

const loopback = { address: '127.0.0.1', port: 0 } as const;

async function served(): Promise<{ readonly engine: TestEngine; readonly url: string }> {
  const engine = engineInTemporaryFolder();
  const { urls, isLan } = await engine.client.call('clockPage.start', loopback);
  expect(isLan).toBe(false);
  expect(urls).toHaveLength(1);
  return { engine, url: urls[0]! };
}

async function opened(url: string): Promise<Page> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('These tests need a Chromium.');
  // In containers without a sandbox of their own.
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
  later(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  page.on('pageerror', (error) => console.error(error));
  await page.goto(url);
  return page;
}

/** The page once it draws, and what the engine knows of it. */
async function drawing(engine: TestEngine) {
  let known: Awaited<ReturnType<typeof state>> | undefined;
  const state = async () => (await engine.client.call('clockPage.state', {})).pages.find(({ isOpen }) => isOpen);
  await until(async () => {
    known = await state();
    return known !== undefined && known.untilMs > known.sinceMs;
  });
  return known!;
}

/** Brightness of the strip with the clock row just after a frame was drawn. */
const strip = (page: Page, rect: ReturnType<typeof clockRect>): Promise<number[]> =>
  page.evaluate(async ({ x, y, width, height }) => {
    await new Promise(requestAnimationFrame);
    const context = document.querySelector('canvas')!.getContext('2d')!;
    const { data } = context.getImageData(x, y, width, height);
    return Array.from({ length: width * height }, (_, at) => data[4 * at + 1]!);
  }, rect);

it('draws the time of the console in a real browser, as exactly as it says', async () => {
  const { engine, url } = await served();
  const page = await opened(url);
  const { source, uncertaintyMs, from } = await drawing(engine);
  expect(from).toBe('127.0.0.1');
  expect(uncertaintyMs).toBeLessThan(50);
  const rect = clockRect(1280, 720);
  for (let frame = 0; frame < 20; frame += 1) {
    const askedMs = systemClock.now();
    const bytes = Uint8Array.from(await strip(page, rect));
    const answeredMs = systemClock.now();
    const reading = decodeClock(
      cellBrightness({ bytes, offset: 0, stride: rect.width, step: 1, width: rect.width, height: rect.height }),
    );
    expect(reading?.source).toBe(source);
    // Drawn after it was asked for, and before the answer. Both are whole ms.
    const ageMs = clockAgeMs(reading!, answeredMs + 1000) - 1000;
    expect(ageMs).toBeGreaterThan(-uncertaintyMs - 1);
    expect(ageMs).toBeLessThan(answeredMs - askedMs + uncertaintyMs + 1);
  }
  const { nowMs, pages = [] } = await engine.client.call('player.mediaClock', { node: 'lab', stream: 'cam' });
  expect(pages.map((each) => each.source)).toEqual([source]);
  expect(nowMs - pages[0]!.clock.untilMs).toBeLessThan(10_000);
  expect((nowMs - pages[0]!.clock.startMs) / 2 ** 24).toBeLessThan(1);
});

it('is read from a photo of two screens by the process that reads files', async () => {
  const { engine, url } = await served();
  const page = await opened(url);
  await drawing(engine);
  const folder = temporaryFolder();
  const fromMs = systemClock.now();
  const [first, second] = [await page.screenshot(), await page.screenshot()];
  const toMs = systemClock.now();
  const data = (png: Buffer): string => `data:image/png;base64,${png.toString('base64')}`;
  const both = await page.context().browser()!.newPage();
  await both.setViewportSize({ width: 1300, height: 400 });
  await both.setContent(
    `<body style="margin:0;background:#444"><img width="640" src="${data(first)}"><img width="640" style="float:right" src="${data(second)}">`,
  );
  const photo = join(folder, 'both.jpg');
  writeFileSync(photo, await both.screenshot({ type: 'jpeg', quality: 60 }));
  const codes = await engine.saved.codesOfPicture({ path: photo });
  expect(codes).toHaveLength(4);
  for (const { timeMs } of codes) {
    expect(timeMs).toBeGreaterThan(fromMs - 1000);
    expect(timeMs).toBeLessThan(toMs + 50);
  }
  const { delays } = photoDelays(codes);
  expect(delays).toHaveLength(1);
  expect(delays[0]!.delayMs).toBeLessThanOrEqual(toMs - fromMs + 1000);
  expect(delays[0]!.delayMs).toBeGreaterThan(0);
  const text = join(folder, 'note.png');
  writeFileSync(text, 'no picture');
  await expect(engine.saved.codesOfPicture({ path: text })).rejects.toThrow('neither a PNG nor a JPEG');
});

it('says that it is one too many', async () => {
  const { url } = await served();
  const others = Array.from(
    { length: 8 },
    () => new WebSocket(`${url.replace('http', 'ws')}clock`, { origin: new URL(url).origin }),
  );
  later(() => others.forEach((other) => other.terminate()));
  await Promise.all(others.map((other) => new Promise((resolve) => other.once('message', resolve))));
  const page = await opened(url);
  await page.evaluate(() => {
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (...args) {
      document.title = args[0];
      return fillText.apply(this, args);
    };
  });
  await until(async () => (await page.title()).startsWith('Too many clock pages'));
  others[0]!.terminate();
  await until(async () => (await page.title()) !== 'Too many clock pages of this console are open: close one of them');
});

it('is for those who know its address only, and for as long as it is served', async () => {
  const { engine, url } = await served();
  const statusOf = (address: string, method = 'GET'): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      request(address, { method }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
  expect(await statusOf(url)).toBe(200);
  expect(await statusOf(`${url}page.js`)).toBe(200);
  expect(await statusOf(`${url}other.js`)).toBe(404);
  expect(await statusOf(url, 'POST')).toBe(404);
  expect(await statusOf(new URL('/', url).href)).toBe(404);
  expect(await statusOf(url.replace(/.\/$/, (end) => (end === 'A/' ? 'B/' : 'A/')))).toBe(404);
  const headers = await new Promise<Record<string, unknown>>((resolve) =>
    get(url, (response) => resolve(response.resume().headers)),
  );
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'/);

  const socket = (origin: string): Promise<WebSocket> =>
    new Promise((resolve, reject) => {
      const opening = new WebSocket(`${url.replace('http', 'ws')}clock`, { origin });
      opening.on('open', () => resolve(opening)).on('error', reject);
    });
  await expect(socket('http://evil.example')).rejects.toThrow();
  const own = await socket(new URL(url).origin);
  const closed = new Promise((resolve) => own.on('close', resolve));
  own.send('{"kind":"drawn","uncertaintyMs":-5}');
  await closed;
  const last = await socket(new URL(url).origin);
  const ended = new Promise((resolve) => last.on('close', resolve));
  await engine.client.call('clockPage.stop', {});
  await ended;
  await expect(statusOf(url)).rejects.toThrow('ECONNREFUSED');
});
