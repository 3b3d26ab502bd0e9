import { expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** Preflight, with known findings. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

it('lists findings by node, failures first, with fixes', async () => {
  await window.show('idle=watching');
  await window.find('nodeRow').first().waitFor();
  await window.page.keyboard.press('p');
  await window.find('pullPreflight').click();
  await window.find('preflightState').filter({ hasText: 'Checked at' }).waitFor();
  const rows = window.find('preflightRow');
  expect(await rows.first().getAttribute('data-result')).toBe('fail');
  expect(await rows.first().textContent()).toContain('enough for 499 sessions; this plan needs 1,001.');
  expect(await window.find('preflightFix').first().textContent()).toContain('media_port_from=20001');

  await rows.first().getByRole('button').first().click();
  expect(await rows.first().textContent()).toContain('Source: Flashphoner');
  await window.page.keyboard.press('ArrowDown');
  await window.page.keyboard.press('c');
  await window.find('notice').filter({ hasText: 'Copied.' }).waitFor();

  await window.find('preflightFilters').getByRole('button', { name: /warn/ }).click();
  expect(await rows.count()).toBe(1);
  await window.page.keyboard.press('Escape');
  await window.find('preflightDialog').waitFor({ state: 'detached' });
  // The input for the pull is unchanged.
  expect(await window.find('pullDialog').isVisible()).toBe(true);
});

it('opens by its key over the Pull dialog', async () => {
  await window.show('idle=watching');
  await window.find('nodeRow').first().waitFor();
  await window.page.keyboard.press('k');
  await window.find('preflightState').filter({ hasText: 'Checked at' }).waitFor();
  await window.page.keyboard.press('Escape');
  await window.find('preflightDialog').waitFor({ state: 'detached' });
  expect(await window.find('pullDialog').isVisible()).toBe(true);
});

it('can be cancelled', async () => {
  await window.show('idle=watching');
  await window.find('nodeRow').first().waitFor();
  await window.page.keyboard.press('p');
  await window.find('pullViewers').fill('77');
  await window.find('pullPreflight').click();
  await window.find('preflightState').filter({ hasText: 'nothing is started or changed' }).waitFor();
  expect(await window.find('preflightPull').isDisabled()).toBe(true);
  // A window that draws less: its work still shows.
  const timing = await window
    .find('preflightDialog')
    .locator('.state svg')
    .first()
    .evaluate((spinner) => {
      document.documentElement.setAttribute('data-economy', '');
      const { animationName, animationTimingFunction } = getComputedStyle(spinner);
      document.documentElement.removeAttribute('data-economy');
      return [animationName === 'none', animationTimingFunction];
    });
  expect(timing).toEqual([false, expect.stringContaining('steps(4')]);
  await window.find('preflightCancel').click();
  await window.find('preflightDialog').getByText('The preflight was cancelled.').waitFor();
  await window.find('preflightDialog').getByText('not checked').waitFor();
  await window.find('preflightAgain').waitFor();
});

it('is shown beside the verdict of a run with a preceding preflight', async () => {
  await window.show('scenario=fail256');
  await window.find('runsTab').click();
  await window.find('runRow').first().dblclick();
  const kept = window.find('preflightSaved');
  await kept.filter({ hasText: '2 fail, 1 warn' }).waitFor();
  await kept.getByRole('button', { name: 'Show all' }).click();
  await window.find('preflightState').filter({ hasText: 'Checked at' }).waitFor();
  expect(await window.find('preflightRow').count()).toBeGreaterThan(5);
  // Four rules of a tester without SSH share one row.
  expect(await window.find('preflightRow').filter({ hasText: 'has no SSH address' }).textContent()).toContain(
    '4 rules',
  );
  expect(await window.find('preflightPull').count()).toBe(0);
});
