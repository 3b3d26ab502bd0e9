import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** About: version and third-party notices, used from the keyboard only. */
let window: WindowPage;
const pictures = process.env['FULLHOUSE_PICTURES'];

windowTest.beforeAll(async ({ windowPage }) => {
  window = windowPage;
  await window.show('idle=watching');
});

it('shows version and licences, searched and chosen by keys', async () => {
  const { keyboard } = window.page;
  await window.sendShellEvent('menu', 'about');
  await window.find('noticeText').waitFor();
  expect(await window.find('aboutDialog').textContent()).toMatch(/version 0\.1\.0, Electron [\d.]+, Chromium [\d.]+/);
  const labels = () => window.find('noticesList').locator('option').allTextContents();
  expect(await labels()).toEqual([
    ...[
      'chart.js 4.6.1 · MIT',
      'hls.js 1.7.4 · Apache-2.0',
      'Inter (font) · OFL-1.1',
      'github.com/pion/webrtc/v4 v4.2.15',
    ],
  ]);
  if (pictures) {
    await mkdir(pictures, { recursive: true });
    await window.page.screenshot({ path: join(pictures, 'about.png') });
  }
  // The search has the focus; the list is next.
  await keyboard.type('license');
  expect(await labels()).toEqual([
    'chart.js 4.6.1 · MIT',
    'hls.js 1.7.4 · Apache-2.0',
    'Inter (font) · OFL-1.1',
    'github.com/pion/webrtc/v4 v4.2.15',
  ]);
  await keyboard.press('Tab');
  await keyboard.press('End');
  await expect.poll(() => window.find('noticeText').textContent()).toBe('MIT License');
  await keyboard.press('Shift+Tab');
  await keyboard.press('Control+a');
  await keyboard.type('apache 2004');
  await expect.poll(labels).toEqual(['hls.js 1.7.4 · Apache-2.0']);
  expect(await window.find('noticeText').textContent()).toContain('Apache License');
  await keyboard.press('Control+a');
  await keyboard.type('no such words');
  await expect.poll(labels).toEqual([]);
  // Esc empties the search first.
  await keyboard.press('Escape');
  await expect.poll(async () => (await labels()).length).toBe(4);
  await keyboard.press('Escape');
  await window.find('aboutDialog').waitFor({ state: 'detached' });
  expect(window.errors).toEqual([]);
});

it('opens a plan that a link names in the Pull dialog, also over an open one', async () => {
  const text =
    'name: From a link\nnodes:\n  origin: { server: lab }\npull: { stream: cam, from: origin, viewers: 7 }\n';
  for (const viewers of ['7', '8']) {
    await window.sendShellEvent('planOpened', { name: 'p.yaml', text: text.replace('7', viewers) });
    await expect.poll(() => window.find('planYamlText').inputValue()).toContain(`viewers: ${viewers}`);
  }
});
