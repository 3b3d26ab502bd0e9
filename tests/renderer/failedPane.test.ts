import { expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** Errors of one pane: the others continue. */
let window: WindowPage;
windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

/** Entries that the page sent to the app's log. */
const logged = (): Promise<string[]> =>
  window.page.evaluate(() => (globalThis as unknown as { shellLog: string[] }).shellLog);
const failed = (pane: string) => window.page.locator(`[data-testid="failed-pane"][data-pane="${pane}"]`);

it('a chart that cannot be drawn leaves the other panes working, and is drawn again on request', async () => {
  await window.show('scenario=pull742&throwIn=charts');
  await failed('Charts').waitFor();
  expect(await failed('Charts').textContent()).toMatch(
    /Charts cannot be displayed: No canvas\. The rest of the window/,
  );
  // Sidebar, headline, player and event log.
  await window.find('nodeRow').first().waitFor();
  await window.find('viewersConnected').waitFor();
  expect(await window.find('eventRow').count()).toBeGreaterThan(0);
  await window.find('runsTab').click();
  await window.find('runRow').first().waitFor();
  await window.find('consoleTab').click();
  await expect
    .poll(async () => (await logged()).some((text) => /^Charts failed\.\nError: No canvas/.test(text)))
    .toBe(true);

  await failed('Charts').getByRole('button', { name: 'Copy details' }).click();
  await window.find('notice').filter({ hasText: 'Copied.' }).waitFor();
  await window.page.evaluate(() => (globalThis as unknown as { repair: () => void }).repair());
  await failed('Charts').getByRole('button', { name: 'Reload pane' }).click();
  await failed('Charts').waitFor({ state: 'detached' });
  await window.page.locator('[data-chart] canvas').first().waitFor();
});

it('a dialog that gets a malformed answer reports it, and can be closed', async () => {
  await window.show('idle=watching&throwIn=settings');
  await window.find('settingsButton').click();
  await failed('Dialog').waitFor();
  await window.page.keyboard.press('Escape');
  await failed('Dialog').waitFor({ state: 'detached' });
  await window.page.keyboard.press('p');
  await window.find('pullDialog').waitFor();
});

it('an error that nothing handles is logged', async () => {
  await window.show('idle=watching');
  await window.page.evaluate(() => {
    setTimeout(() => {
      throw new Error('Planted error.');
    });
    void Promise.reject(new Error('Planted rejection.'));
  });
  await expect
    .poll(async () => (await logged()).join('\n'))
    .toMatch(/Planted error\.[^]*Planted rejection\.|Planted rejection\.[^]*Planted error\./);
});
