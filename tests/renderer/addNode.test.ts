import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWindowPage, type WindowPage } from './windowPage';

let window: WindowPage;
const picture = async (name: string): Promise<void> => {
  const folder = process.env['FULLHOUSE_PICTURES'];
  if (folder) await window.page.screenshot({ path: `${folder}/${name}.png` });
};

beforeAll(async () => {
  window = await openWindowPage();
});
afterAll(async () => {
  await window.close();
});

it.each([
  ['dark', 1280, 800],
  ['light', 1920, 1080],
  ['dark', 1024, 640],
] as const)('masks a password and keeps Add in the window: %s, %i x %i', async (theme, width, height) => {
  await window.show(`scenario=none&theme=${theme}`);
  await window.page.setViewportSize({ width, height });
  await window.page.keyboard.press('n');
  await window.find('addAddress').fill('http://admin:secret@10.20.0.7:1985');
  await expect.poll(() => window.find('addAddress').inputValue()).toBe('http://10.20.0.7:1985');
  const password = window.page.getByTestId('need-httpPassword');
  await expect.poll(() => password.inputValue()).toBe('secret');
  expect(await password.getAttribute('type')).toBe('password');
  expect(await window.page.getByTestId('need-user').inputValue()).toBe('admin');
  await window.find('addName').waitFor();
  const name = 'a-rather-long-name-of-a-node-that-somebody-gave-to-their-server1';
  await window.find('addName').fill(name);
  const add = window.find('addSubmit');
  await expect.poll(async () => (await add.textContent())?.trim()).toContain(name);
  const box = await add.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? Infinity)).toBeLessThanOrEqual(width);
  expect(await add.locator('[title]').getAttribute('title')).toBe(name);
  await picture(`add-node-${theme}-${width}x${height}`);
});
