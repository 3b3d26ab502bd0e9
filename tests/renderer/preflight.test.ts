import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWindowPage, type WindowPage } from './windowPage';

/** The look before the load, with an engine whose every finding is known. */
let window: WindowPage;

beforeAll(async () => {
  window = await openWindowPage();
});
afterAll(async () => {
  await window.close();
});

it('lists what a look found by node, what fails first, with what mends it', async () => {
  await window.show('idle=watching');
  await window.find('nodeRow').first().waitFor();
  await window.page.keyboard.press('p');
  await window.find('pullPreflight').click();
  await window.find('preflightState').filter({ hasText: 'Looked at' }).waitFor();
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
  // What was typed for the pull is still there.
  expect(await window.find('pullDialog').isVisible()).toBe(true);
});

it('opens by its key, over the pull that it is about', async () => {
  await window.show('idle=watching');
  await window.find('nodeRow').first().waitFor();
  await window.page.keyboard.press('k');
  await window.find('preflightState').filter({ hasText: 'Looked at' }).waitFor();
  await window.page.keyboard.press('Escape');
  await window.find('preflightDialog').waitFor({ state: 'detached' });
  expect(await window.find('pullDialog').isVisible()).toBe(true);
});

it('is called off', async () => {
  await window.show('idle=watching');
  await window.find('nodeRow').first().waitFor();
  await window.page.keyboard.press('p');
  await window.find('pullViewers').fill('77');
  await window.find('pullPreflight').click();
  await window.find('preflightState').filter({ hasText: 'nothing is started or changed' }).waitFor();
  expect(await window.find('preflightPull').isDisabled()).toBe(true);
  await window.find('preflightCancel').click();
  await window.find('preflightDialog').getByText('The look was called off.').waitFor();
  await window.find('preflightDialog').getByText('not looked at').waitFor();
  await window.find('preflightAgain').waitFor();
});

it('stands beside the verdict of a run that was looked at before', async () => {
  await window.show('scenario=fail256');
  await window.find('runsTab').click();
  await window.find('runRow').first().dblclick();
  const kept = window.find('preflightKept');
  await kept.filter({ hasText: '2 fail, 1 warn' }).waitFor();
  await kept.getByRole('button', { name: 'Show all' }).click();
  await window.find('preflightState').filter({ hasText: 'Looked at' }).waitFor();
  expect(await window.find('preflightRow').count()).toBeGreaterThan(5);
  // Four rules of a tester without SSH share a row.
  expect(await window.find('preflightRow').filter({ hasText: 'has no SSH address' }).textContent()).toContain(
    '4 rules',
  );
  expect(await window.find('preflightPull').count()).toBe(0);
});
