import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** The clock page's dialog on the fake engine, which reads 742 ms from each picture. */
let window: WindowPage;
const pictures = process.env['FULLHOUSE_PICTURES'];

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

async function picture(name: string): Promise<void> {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  await window.page.screenshot({ path: join(pictures, `clock-page-${name}.png`) });
}

async function open(query: string): Promise<void> {
  await window.show(query);
  await window.page.keyboard.press('Control+k');
  await window.page.keyboard.type('obs');
  await window.page.keyboard.press('Enter');
  await window.find('clockPageDialog').waitFor();
}

/** A PNG of one colour, as a file that is chosen. */
async function pngOf(width: number, height: number): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const base64 = await window.page.evaluate(
    async ([wide, tall]) => {
      const canvas = new OffscreenCanvas(wide, tall);
      canvas.getContext('2d')?.fillRect(0, 0, 10, 10);
      const bytes = new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer());
      return btoa(String.fromCharCode(...bytes));
    },
    [width, height] as const,
  );
  return { name: 'both screens.png', mimeType: 'image/png', buffer: Buffer.from(base64, 'base64') };
}

it('serves the page here or on the network, and shows who has it open and how exact it is', async () => {
  await open('idle=watching');
  await picture('off');
  await window.find('clockPageSwitch').click();
  expect(await window.find('clockPageUrl').allTextContents()).toEqual([
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
  ]);
  expect(await window.find('clockPageRow').first().textContent()).toContain('± 1.3 ms');
  expect(await window.find('clockPageRow').last().textContent()).toContain('being measured');
  await window.find('clockPageSwitch').click();
  await window.find('clockPagePlace').getByText('Local network').click();
  await window.find('clockPageSwitch').click();
  await expect.poll(() => window.find('clockPageUrl').count()).toBe(2);
  expect(await window.find('clockPageDialog').textContent()).toContain('Anyone who has the address can open it.');
});

it('reads photos, and states what it can not read', async () => {
  await open('idle=watching&theme=light');
  await window.find('clockPageSwitch').click();
  await window.find('clockPhotoFile').setInputFiles(await pngOf(1600, 900));
  await expect
    .poll(() => window.find('clockPhoto').first().textContent())
    .toMatch(/both screens\.png\s*742 ms\s*± 68 ms/);
  const damaged = { name: 'torn.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('torn') };
  const text = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('text') };
  await window.find('clockPhotoFile').setInputFiles([damaged, text]);
  await expect.poll(() => window.find('clockPhoto').count()).toBe(3);
  await expect
    .poll(() => window.find('clockPhotos').textContent())
    .toMatch(/It is no picture \(PNG, JPEG, WebP\) and no video\..*It is damaged, or no picture\./);
  await picture('photos-light');
  expect(window.errors).toEqual([]);
});
