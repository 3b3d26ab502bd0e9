import { describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** The dialog by keyboard and the list of spot checks. The answers are tested with media in tests/player. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

describe('spot checks', () => {
  it('open blind during a run, and close without a record', async () => {
    await window.show('scenario=pull742&player=connecting&spotChecks');
    await window.find('spotCheckRow').first().waitFor();
    const recorded = await window.find('spotCheckRow').count();
    await window.page.keyboard.press('b');
    const dialog = window.find('spotCheck');
    await dialog.waitFor();
    expect(await window.find('spotCheckStep').getAttribute('data-step')).toBe('connecting');
    expect(await dialog.innerText()).not.toMatch(/cam-240p|atom-c2550|WHEP/);
    // The title of the run and the control player are behind it.
    const around = await dialog.evaluate((element) => getComputedStyle(element, '::backdrop').backgroundColor);
    expect(around).toMatch(/^rgb\(/);
    await window.page.keyboard.press('m');
    expect(await window.find('spotCheckSound').getAttribute('aria-pressed')).toBe('true');
    // Not an answer before the picture was shown.
    await window.page.keyboard.press('1');
    expect(await window.find('spotCheckResult').count()).toBe(0);
    await window.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await window.find('spotCheckRow').count()).toBe(recorded);
  });

  it('have no key in lists and after the run', async () => {
    await window.find('runsTab').click();
    await window.page.keyboard.press('b');
    expect(await window.find('spotCheck').count()).toBe(0);
  });

  it('are summed up beside the charts, which move to the time of a row', async () => {
    await window.show('scenario=fail256&spotChecks');
    await window.find('runsTab').click();
    await window.find('runRow').first().dblclick();
    const list = window.find('spotChecks');
    await list.waitFor();
    expect(await list.innerText()).toContain('4 checks: 3 agree with the counters (75 %), 1 rated better');
    await window.find('spotCheckRow').nth(2).click();
    await window.page.locator('.highlighted').filter({ hasText: 'rated bad; measured bad' }).waitFor();
    await window.page.keyboard.press('b');
    expect(await window.find('spotCheck').count()).toBe(0);
    expect(window.errors).toEqual([]);
  });
});
