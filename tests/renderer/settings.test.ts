import { mkdir } from 'node:fs/promises';
import { beforeEach, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** The settings: each change applies at once. */
let window: WindowPage;
/** Folder for screenshots; none if unset. */
const pictures = process.env['FULLHOUSE_PICTURES'];

windowTest.beforeAll(async ({ windowPage }) => {
  window = windowPage;
  await window.show('idle=watching');
});
beforeEach(async () => {
  if ((await window.find('settingsDialog').count()) === 0) await window.page.keyboard.press('Control+,');
  await window.find('settingsDialog').waitFor();
});

const theme = (): Promise<string | undefined> => window.page.evaluate(() => document.documentElement.dataset['theme']);
const keyOf = (id: string) => window.page.locator(`[data-testid="settings-key"][data-command="${id}"]`);
async function close(): Promise<void> {
  await window.page.getByRole('button', { name: 'Close', exact: true }).click();
  await window.find('settingsDialog').waitFor({ state: 'detached' });
}

it('are opened by key and by the gear, and change the theme at once, also with the desktop', async () => {
  await close();
  await window.find('settingsButton').click();
  const themes = window.find('settingsDialog').getByRole('group', { name: 'Theme' });
  await themes.getByRole('button', { name: 'Light' }).click();
  await expect.poll(theme).toBe('light');
  await window.page.emulateMedia({ colorScheme: 'dark' });
  await themes.getByRole('button', { name: 'System' }).click();
  await expect.poll(theme).toBe('dark');
  await window.page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(theme).toBe('light');
  await themes.getByRole('button', { name: 'Dark' }).click();
  await expect.poll(theme).toBe('dark');
});

it('find a time zone by its name, and apply it to all times', async () => {
  await window.find('settingsZone').click();
  await window.find('settingsZone').fill('kolk');
  await window.find('settingsZoneOption').first().waitFor();
  await window.page.keyboard.press('Enter');
  expect(await window.find('settingsZone').inputValue()).toMatch(/Kolkata|Calcutta/);
  await close();
  await window.find('zoneSwitch').locator('[aria-pressed="true"]', { hasText: '+5:30' }).waitFor();
});

it('assign another key to a command, refuse one in use, and reset all', async () => {
  await keyOf('publish').click();
  await window.page.keyboard.press('p');
  expect(await window.find('settingsKeyProblem').textContent()).toContain('P is assigned to "Pull viewers"');
  await window.page.keyboard.press('j');
  await expect.poll(async () => (await keyOf('publish').textContent())?.trim()).toBe('J');
  await close();
  await window.page.keyboard.press('j');
  await window.find('publishDialog').waitFor();
  await window.page.keyboard.press('Escape');
  await window.find('publishDialog').waitFor({ state: 'detached' });
  await window.page.keyboard.press('u');
  expect(await window.find('publishDialog').count()).toBe(0);
  await window.page.keyboard.press('Control+,');
  await window.find('settingsKeysReset').click();
  await expect.poll(async () => (await keyOf('publish').textContent())?.trim()).toBe('U');
});

it('disable single keys, but not Ctrl keys', async () => {
  await window.find('settingsSingleKeys').uncheck();
  await close();
  await window.page.keyboard.press('p');
  expect(await window.find('pullDialog').count()).toBe(0);
  await window.page.keyboard.press('Control+,');
  await window.find('settingsSingleKeys').check();
  await close();
  await window.page.keyboard.press('p');
  await window.find('pullDialog').waitFor();
  await window.page.keyboard.press('Escape');
  await window.find('pullDialog').waitFor({ state: 'detached' });
});

it('set the default thresholds of a new plan', async () => {
  await window.page.getByTestId('settings-cpu').fill('120');
  await window.find('settingsDialog').getByText('Enter a number from 0 to 100.').waitFor();
  await window.page.getByTestId('settings-cpu').fill('66');
  await close();
  await window.page.keyboard.press('p');
  await window.find('pullYaml').filter({ hasText: '66' }).waitFor();
  expect(await window.find('pullYaml').textContent()).toContain('66% if measured');
  await window.page.keyboard.press('Escape');
  await window.find('pullDialog').waitFor({ state: 'detached' });
});

it('limit the idle time and the memory of agents, and show the update status', async () => {
  await window.find('settingsIdle').fill('29');
  await window.find('settingsDialog').getByText('Enter whole seconds from 30 to 900.').waitFor();
  await window.find('settingsIdle').fill('300');
  await window.find('settingsMemory').fill('63');
  await window
    .find('settingsDialog')
    .getByText('Enter whole MB from 64 to 1,048,576, or nothing for the default.')
    .waitFor();
  await window.find('settingsMemory').fill('4096');
  await window.find('settingsMemory').fill('');
  await window.find('settingsDialog').getByText('Enter whole MB').waitFor({ state: 'detached' });
  await window.find('settingsVersion').filter({ hasText: '0.1.0' }).waitFor();
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  for (const [width, height] of [
    [1280, 800],
    [1920, 1080],
  ] as const)
    for (const name of ['dark', 'light']) {
      await window.page.setViewportSize({ width, height });
      await window.page.evaluate((to) => (document.documentElement.dataset['theme'] = to), name);
      await window.page.screenshot({ path: `${pictures}/settings-${name}-${width}.png` });
    }
});

it('dismiss all notices at once, and open the interrupted run', async () => {
  await close();
  await window.sendShellEvent('problem', 'One.');
  await window.sendShellEvent('interrupted', { run: 'run-5', sentence: 'The engine ended.' });
  const notice = window.find('notice').filter({ hasText: 'The engine ended.' });
  await notice.getByRole('button', { name: 'Open the interrupted run' }).click();
  await notice.waitFor({ state: 'detached' });
  await window.sendShellEvent('problem', 'Two.');
  await window.find('noticesClose').click();
  await window.find('notice').first().waitFor({ state: 'detached' });
  expect(window.errors).toEqual([]);
});

it('set when wall mode is darker, or never', async () => {
  const [from, until] = ['from', 'until'].map((name) => window.page.getByTestId(`settings-wall-${name}`));
  expect([await from?.inputValue(), await until?.inputValue()]).toEqual(['22:00', '06:00']);
  await from?.fill('25:00');
  await until?.fill('');
  expect((await window.find('settingsDialog').getByRole('alert').allInnerTexts()).slice(0, 2)).toEqual([
    'Enter a time of day such as 22:00.',
    'Enter a time of day such as 22:00.',
  ]);
  const isDark = async (): Promise<boolean> => {
    await close();
    await window.page.keyboard.press('F9');
    await window.find('wallMode').waitFor();
    const dark = await window.find('wallMode').evaluate((mode) => getComputedStyle(mode).filter !== 'none');
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Control+,');
    return dark;
  };
  // All of the day but its last minute, or only that.
  await from?.fill('00:00');
  await until?.fill('23:59');
  expect(await isDark()).toBe(true);
  await window.page.getByTestId('settings-wall-night').uncheck();
  expect(await from?.count()).toBe(0);
  expect(await isDark()).toBe(false);
  // The hours are kept.
  await window.page.getByTestId('settings-wall-night').check();
  expect([await from?.inputValue(), await until?.inputValue()]).toEqual(['00:00', '23:59']);
});

it('give a field back its focus when the window was hidden', async () => {
  const field = window.page.getByTestId('settings-wall-from');
  await field.focus();
  const isFocused = () => field.evaluate((each) => each === document.activeElement);
  const frames = (): Promise<void> =>
    window.page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done));
    });
  await window.sendShellEvent('windowShown', { isShown: false });
  await frames();
  await window.sendShellEvent('windowShown', { isShown: true });
  await frames();
  expect(await isFocused()).toBe(true);
  expect(await window.page.locator('html').getAttribute('data-hidden')).toBeNull();
});
