import { beforeAll, describe, expect, it } from 'vitest';
import { takeLayoutShifts } from '../e2e/layoutShift';
import { windowTest, type WindowPage } from './windowPage';

/** The library of saved runs with pointer and keyboard, on an engine with known figures. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const text = async (id: Parameters<WindowPage['find']>[0]): Promise<string> =>
  ((await window.find(id).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();
const row = (id: string) => window.page.locator(`[data-run="${id}"]`);
const show = async (): Promise<void> => {
  await window.show('scenario=fail256');
  await window.find('runsTab').click();
  await row('run-1').waitFor();
};
const listHasFocus = (): Promise<void> =>
  window.page.getByRole('region', { name: 'Saved runs' }).and(window.page.locator(':focus')).waitFor();

describe('the library of runs', () => {
  beforeAll(show);

  it('is filtered by origin and by tag, and reset', async () => {
    const origin = window.find('originFilter').getByRole('button', { name: /^atom-c2550/ });
    await origin.click();
    expect(await window.find('runRow').count()).toBe(5);
    await window.find('tagFilter').getByRole('button', { name: /^zgc/ }).click();
    expect(await window.find('runRow').count()).toBe(2);
    await origin.click();
    await window.find('tagFilter').getByRole('button', { name: /^zgc/ }).click();
    expect(await window.find('runRow').count()).toBe(10);
  });

  it('finds by tag, tester and note', async () => {
    await window.find('runsFilter').fill('heap default');
    expect(await window.find('runRow').count()).toBe(1);
    await window.find('runsFilter').fill('tester-limited xeon');
    expect(await window.find('runRow').count()).toBe(1);
    await window.find('runsFilter').fill('');
  });

  it('offers the import from Prometheus with and without a selected run', async () => {
    const button = window.page.getByRole('button', { name: 'Import from Prometheus' });
    await row('run-5').click();
    expect(await button.isVisible()).toBe(true);
    await button.click();
    await window.page.getByRole('dialog', { name: 'Import from Prometheus' }).waitFor();
    await window.page.keyboard.press('Escape');
  });

  it('is tagged by keyboard only, with suggestions', async () => {
    const { page } = window;
    await row('run-5').click();
    await page.keyboard.press('#');
    await page.locator('[data-testid="tag-field"]:focus').waitFor();
    await page.keyboard.type('tu');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Night Run');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await listHasFocus();
    expect(await row('run-5').locator('.tags i').allTextContents()).toEqual(['g1', 'tuned', 'night-run']);
    await window
      .find('tagFilter')
      .getByRole('button', { name: /^tuned 3/ })
      .waitFor();
    await page.keyboard.press('#');
    await page.locator('[data-testid="tag-field"]:focus').waitFor();
    await page.keyboard.press('Backspace');
    await row('run-5').locator('.tags i').nth(2).waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
  });

  it('saves a note, and marks a baseline', async () => {
    const { page } = window;
    await listHasFocus();
    await page.keyboard.press('F4');
    await page.locator('[data-testid="run-note"]:focus').waitFor();
    await window.find('runNote').fill('The heap was doubled.');
    await page.keyboard.press('Control+Enter');
    await row('run-5').getByText('The heap was doubled.').waitFor();
    await listHasFocus();
    await page.keyboard.press('b');
    await row('run-5').locator('.baseline').waitFor();
    await page.keyboard.press('b');
    await row('run-5').locator('.baseline').waitFor({ state: 'detached' });
  });
});

describe('comparison of runs', () => {
  beforeAll(show);

  it('shows selected runs, lettered from the oldest on, with a summary sentence', async () => {
    const { page } = window;
    await row('run-1').locator('[data-testid="run-select"]').click();
    await row('run-5').locator('[data-testid="run-select"]').click();
    expect(await row('run-5').locator('.tick b').textContent()).toBe('A');
    await takeLayoutShifts(page);
    await page.keyboard.press('c');
    await window.find('compareSentence').waitFor();
    expect(await text('compareSentence')).toBe(
      'B connected 736 more viewers and reached its first limit at 590 instead of 256; both exceeded the origin CPU limit first.',
    );
    expect(await text('compareNoise')).toContain('Noise unknown');
    expect(await window.page.locator('tr[data-figure="connected"]').textContent()).toContain('+736');
    expect(await page.locator('[data-testid="compare-panel"] canvas').count()).toBe(3);
    const { sum, moves } = await takeLayoutShifts(page);
    expect(sum, moves.join('\n')).toBeLessThan(0.05);
  });

  it('aligns its charts on viewers or on time, with values at the pointer', async () => {
    await window.find('compareAlign').getByRole('button', { name: 'run time' }).click();
    await window.find('compareAlign').getByRole('button', { name: 'viewers connected' }).click();
    const plot = window.page.locator('[data-testid="compare-panel"] [data-chart="cpu"] .plot');
    const box = await plot.boundingBox();
    if (!box) throw new Error('The chart is not on the screen.');
    await plot.hover({ position: { x: box.width / 2, y: box.height / 2 } });
    const values = window.page.locator('[data-testid="compare-panel"] [data-chart="cpu"] figcaption');
    await values.getByText(/\d\d/).first().waitFor();
    expect((await values.textContent())?.replace(/\s+/g, ' ')).toMatch(/A – B \d\d/);
  });

  it('follows the selection, and is closed with C', async () => {
    const { page } = window;
    await row('run-3').locator('[data-testid="run-select"]').click();
    await window.find('compareSentence').getByText('connected the most viewers').waitFor();
    await page.keyboard.press('c');
    await window.find('comparePanel').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await window.find('compareButton').waitFor({ state: 'detached' });
  });

  it('has runs selected by Space and Shift-click, max five', async () => {
    const { page } = window;
    await row('run-1').locator('.nowrap').first().click();
    await listHasFocus();
    await page.keyboard.press(' ');
    await row('run-6')
      .locator('.nowrap')
      .first()
      .click({ modifiers: ['Shift'] });
    expect(await page.locator('tr.chosen').count()).toBe(6);
    expect(await window.find('compareButton').isDisabled()).toBe(true);
    await row('run-6').locator('[data-testid="run-select"]').click();
    expect(await window.find('compareButton').isDisabled()).toBe(false);
    await page.keyboard.press('c');
    await window.find('compareSentence').waitFor();
    await window.find('compareSideBySide').click();
    await window.find('compareDialog').waitFor();
    await page.keyboard.press('Escape');
    await window.find('compareDialog').waitFor({ state: 'detached' });
  });

  it('has runs deleted and restored together', async () => {
    await window.find('deleteRuns').click();
    await row('run-1').waitFor({ state: 'detached' });
    await window.find('undo').last().click();
    await row('run-5').waitFor();
    expect(await window.find('runRow').count()).toBe(10);
    await window.find('comparePanel').waitFor({ state: 'detached' });
  });
});
