import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeClock, wrapMs } from '../../src/domain/clock/clockRow';
import { findChromium } from '../../src/engine/base/chromium';
import { cellBrightness, clockRect } from '../../src/renderer/player/clock/clockPicture';
import { startApp, type StartedApp } from './app';

/** The clock page of the real app, and what it reads from a photo and a recording of two screens. */
let app: StartedApp;
let browser: Browser;

beforeAll(async () => {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('This test needs a Chromium.');
  app = await startApp({ width: 1280, height: 800 });
  await app.find('pullButton').waitFor();
  browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ['--no-sandbox'] : [] });
});
afterAll(async () => {
  await browser.close();
  await app.close();
});

/** A photo of two screens as JPEG, and a recording of them as browsers make it: WebM without a length. */
async function taken(first: Buffer, second: Buffer): Promise<{ readonly photo: Buffer; readonly recording: Buffer }> {
  const page = await browser.newPage({ viewport: { width: 1300, height: 400 } });
  const image = (png: Buffer): string => `<img width="640" src="data:image/png;base64,${png.toString('base64')}">`;
  await page.setContent(`<body style="margin:0;display:flex;gap:20px;background:#444">${image(first)}${image(second)}`);
  const photo = await page.screenshot({ type: 'jpeg', quality: 70 });
  const webm = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1300, height: 400 });
    const context = canvas.getContext('2d');
    const recorder = new MediaRecorder(canvas.captureStream(25), { mimeType: 'video/webm', videoBitsPerSecond: 4e6 });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.start();
    const timer = setInterval(() => {
      context?.fillRect(0, 0, 1300, 400);
      [...document.images].forEach((each, index) => context?.drawImage(each, 660 * index, 0, 640, 360));
    }, 40);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    clearInterval(timer);
    const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  await page.close();
  return { photo, recording: Buffer.from(webm, 'base64') };
}

/** The time of drawing in ms, by the clock row of a picture of the page; the codes of photos are not used. */
async function drawnAt(png: Buffer): Promise<number> {
  const page = await browser.newPage();
  const rect = clockRect(1280, 720);
  const bytes = await page.evaluate(
    async ([base64, { x, y, width, height }]) => {
      const image = Object.assign(new Image(), { src: `data:image/png;base64,${base64}` });
      await image.decode();
      const context = new OffscreenCanvas(1280, 720).getContext('2d');
      context?.drawImage(image, 0, 0);
      const { data } = context?.getImageData(x, y, width, height) ?? {};
      return Array.from({ length: width * height }, (_, at) => data?.[4 * at + 1] ?? 0);
    },
    [png.toString('base64'), rect] as const,
  );
  await page.close();
  const plane = { bytes: Uint8Array.from(bytes), offset: 0, stride: rect.width, step: 1 };
  const reading = decodeClock(cellBrightness({ ...plane, width: rect.width, height: rect.height }));
  if (!reading) throw new Error('The screenshot has no clock row.');
  return reading.timeLow;
}

it('is served, and its delay is read from a photo and a recording', async () => {
  await app.page.keyboard.press('Control+k');
  await app.find('palette').waitFor();
  await app.page.keyboard.type('clock page');
  await app.page.keyboard.press('Enter');
  await app.find('clockPageSwitch').click();
  const url = await app.find('clockPageUrl').innerText();
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(url);
  await expect.poll(() => app.find('clockPageRow').first().textContent()).toMatch(/± \d+\.\d ms/);
  const first = await page.screenshot();
  await page.waitForTimeout(700);
  const second = await page.screenshot();
  const trueMs = ((await drawnAt(second)) - (await drawnAt(first)) + wrapMs) % wrapMs;
  const { photo, recording } = await taken(first, second);
  const files = [join(app.folder, 'both.jpg'), join(app.folder, 'both.webm')] as const;
  await writeFile(files[0], photo);
  await writeFile(files[1], recording);
  await app.find('clockPhotoFile').setInputFiles(files);
  const rows = app.find('clockPhoto');
  /** What was read, less the true delay; beyond the uncertainty it is wrong. */
  const errorIn = async (row: number): Promise<{ readonly isWithin: boolean; readonly text: string } | undefined> => {
    const text = (await rows.nth(row).textContent()) ?? '';
    const [, delay, uncertainty] = /([\d,]+) ms\s*± (\d+) ms/.exec(text) ?? [];
    if (delay === undefined) return undefined;
    const errorMs = Number(delay.replaceAll(',', '')) - trueMs;
    return { isWithin: Math.abs(errorMs) <= Number(uncertainty), text: `${text}, truly ${trueMs} ms` };
  };
  expect(trueMs).toBeGreaterThan(600);
  for (const row of [1, 0]) {
    await expect.poll(() => errorIn(row), { timeout: 60_000 }).toBeDefined();
    expect(await errorIn(row)).toMatchObject({ isWithin: true });
  }
  expect(await rows.first().textContent()).toMatch(/in \d+ pictures/);
  await app.find('clockPageSwitch').click();
  await expect.poll(() => app.find('clockPageUrl').count()).toBe(0);
  expect(app.pageErrors).toEqual([]);
});
