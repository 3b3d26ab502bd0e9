import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findChromium } from '../../src/engine/base/chromium';
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

it('is served, and its delay is read from a photo and a recording', async () => {
  await app.page.keyboard.press('Control+k');
  await app.page.keyboard.type('clock page');
  await app.page.keyboard.press('Enter');
  await app.find('clockPageSwitch').click();
  const url = await app.find('clockPageUrl').innerText();
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.goto(url);
  await expect.poll(() => app.find('clockPageRow').first().textContent()).toMatch(/± \d+\.\d ms/);
  const { photo, recording } = await taken(await page.screenshot(), await page.screenshot());
  const files = [join(app.folder, 'both.jpg'), join(app.folder, 'both.webm')] as const;
  await writeFile(files[0], photo);
  await writeFile(files[1], recording);
  await app.find('clockPhotoFile').setInputFiles(files);
  const rows = app.find('clockPhoto');
  const delayIn = async (row: number): Promise<string | undefined> =>
    /([\d,]+) ms\s*± \d+ ms/.exec((await rows.nth(row).textContent()) ?? '')?.[1];
  await expect.poll(() => delayIn(1), { timeout: 60_000 }).toBeDefined();
  await expect.poll(() => delayIn(0), { timeout: 60_000 }).toBe(await delayIn(1));
  expect(await rows.first().textContent()).toMatch(/in \d+ pictures/);
  await app.find('clockPageSwitch').click();
  await expect.poll(() => app.find('clockPageUrl').count()).toBe(0);
  expect(app.pageErrors).toEqual([]);
});
