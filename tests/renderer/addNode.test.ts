import { expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

let window: WindowPage;
const picture = async (name: string): Promise<void> => {
  const folder = process.env['FULLHOUSE_PICTURES'];
  if (folder) await window.page.screenshot({ path: `${folder}/${name}.png` });
};

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
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

it('adds several hosts as a tester group from the keyboard, and lists its members', async () => {
  await window.show('scenario=none&theme=dark');
  const { page } = window;
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.keyboard.press('n');
  await window.find('addAddress').evaluate((field) => {
    const data = new DataTransfer();
    data.setData('text', 'load-1\nqa@load-2\nload-3\n');
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  });
  await expect.poll(() => window.find('addAddress').inputValue()).toBe('load-1, qa@load-2, load-3');
  await page.getByText('Add 3 hosts as a tester group').waitFor();
  await window.find('groupAtLeast').fill('5');
  await page.getByText('Enter a number from 1 to 3').waitFor();
  expect(await window.find('addSubmit').isDisabled()).toBe(true);
  await window.find('groupAtLeast').fill('2');
  await picture('add-group-dark-1280x800');
  await window.find('groupAtLeast').press('Enter');
  const members = window.find('groupMembers');
  await members.getByText('2 of 3 ready').waitFor();
  expect(await members.getByRole('listitem').allTextContents()).toEqual([
    expect.stringMatching(/^load-3\s+connection refused/),
    expect.stringMatching(/^load-1\s+ready$/),
    expect.stringMatching(/^qa@load-2\s+ready$/),
  ]);
  await picture('group-members-dark-1280x800');
});
