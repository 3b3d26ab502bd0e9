import { mkdir } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** Charts are usable with the keyboard only, and their values as a table. */
let window: WindowPage;

windowTest.beforeAll(async ({ windowPage }) => {
  window = windowPage;
  await window.show('scenario=fail256');
  await window.find('runsTab').click();
  await window.find('runRow').first().dblclick();
  await window.find('verdict').first().waitFor();
});

/** Folder for screenshots; none if unset. */
const pictures = process.env['FULLHOUSE_PICTURES'];
async function picture(name: string): Promise<void> {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  for (const theme of ['light', 'high-contrast', 'dark'])
    for (const [width, height] of [
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await window.page.setViewportSize({ width, height });
      await window.page.evaluate((to) => (document.documentElement.dataset['theme'] = to), theme);
      await window.page.waitForTimeout(300);
      await window.page.screenshot({ path: `${pictures}/${name}-${theme}-${width}.png` });
    }
}

const focus = (selector: string) => window.page.locator(`${selector}:focus`);
const button = '[data-testid="chart-menu-button"]';

it('puts each chart in the order of Tab, with its name', async () => {
  const charts = await window.page.locator('[data-chart]').count();
  await window.page.locator(`[data-chart="viewers"] ${button}`).focus();
  // Each has a button for its menu and the chart itself.
  for (let at = 1; at < charts * 2 - 1; at += 1) await window.page.keyboard.press('Tab');
  expect(await focus(button).getAttribute('aria-label')).toBe('Menu of chart Connect p50');
});

it('opens the menu by click and key, moves by arrow keys, and restores the focus', async () => {
  const cpu = window.page.locator(`[data-chart="cpu"] ${button}`);
  await cpu.click();
  await window.find('chartMenu').waitFor();
  await cpu.click();
  await window.find('chartMenu').waitFor({ state: 'detached' });
  await cpu.click();
  await window.find('chartMenu').waitFor();
  await window.page.keyboard.press('Escape');
  await window.find('chartMenu').waitFor({ state: 'detached' });
  await focus(`[data-chart="cpu"] ${button}`).waitFor();

  await window.page.keyboard.press('Enter');
  await focus('[role="menuitem"][data-action="table"]').waitFor();
  await window.page.keyboard.press('ArrowDown');
  await focus('[role="menuitem"][data-action="full"]').waitFor();
  await picture('chart-menu');
  await window.page.keyboard.press('End');
  await window.page.keyboard.press('ArrowDown');
  await focus('[role="menuitem"][data-action="table"]').waitFor();
});

it('shows the values of a chart as a table with named columns and rows', async () => {
  await window.page.keyboard.press('Enter');
  const dialog = window.find('chartTable');
  await dialog.waitFor();
  const table = dialog.getByRole('table');
  await picture('chart-table');
  expect(await table.getByRole('columnheader').allInnerTexts()).toEqual([
    'Run time',
    expect.stringMatching(/^Time, /),
    ...(await table.getByRole('columnheader').allInnerTexts()).slice(2),
  ]);
  // The maximum CPU of the run is the same as in the chart's header.
  const head = await window.page.locator('[data-chart="cpu"] .figure b').first().innerText();
  // The rows in view are known once the table has its height.
  const highest = async (): Promise<number> => {
    const cells = await table.locator('tbody td.number:nth-child(3)').allInnerTexts();
    return Math.round(Math.max(...cells.map(Number).filter(Number.isFinite)));
  };
  await expect.poll(highest).toBe(Number(head));
  await window.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await focus(`[data-chart="cpu"] ${button}`).waitFor();
});

it('shows the distribution behind a chart of percentiles by its title, over time and as figures', async () => {
  await window.page.locator('[data-chart="jitter"]').getByTestId('chart-title').click();
  const dialog = window.find('distribution');
  await dialog.getByRole('img', { name: /^Jitter over time: p50 .* of [0-9,]+ values\.$/ }).waitFor();
  await picture('distribution');
  const cells = await dialog.getByRole('cell').allInnerTexts();
  const [, , , , p50 = NaN, p95 = NaN, , max = NaN] = cells.map((cell) => parseFloat(cell));
  expect(p50).toBeLessThan(5);
  expect(p95).toBeGreaterThan(20);
  expect(max).toBeGreaterThan(p95);
  await dialog.getByLabel('Figure').selectOption('connectMs');
  await dialog.getByRole('img', { name: /^Connect over time/ }).waitFor();
  await window.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await window.page.locator('[data-chart="cpu"]').getByTestId('chart-title').count()).toBe(0);
  await window.page.locator(`[data-chart="cpu"] ${button}`).focus();
});

it('moves the crosshair by arrow keys, with its figures, and announces it at most once in 5 s', async () => {
  await window.page.keyboard.press('ArrowLeft');
  await window.page.getByRole('tooltip').waitFor();
  await window.page.keyboard.press('Shift+ArrowLeft');
  await window.page.getByText(/values at cursor/).waitFor();

  const cpu = window.page.getByRole('application', { name: 'CPU', exact: true });
  await cpu.focus();
  await window.page.keyboard.press('Home');
  await window.page.getByText('values at cursor 0:00').waitFor();
  await window.page.keyboard.press('Shift+ArrowRight');
  await window.page.keyboard.press('ArrowRight');
  await window.page.getByText('values at cursor 0:11').waitFor();
  const announced = window.find('announcements');
  // The first position was announced at once; this one waits.
  expect(await announced.textContent()).not.toContain('0:11');
  await expect.poll(() => announced.textContent(), { timeout: 8000 }).toMatch(/^CPU at 0:11: .*atom-c2550 [\d.]+ %/);
  await window.page.keyboard.press('Escape');
  await window.page.getByText(/values at cursor/).waitFor({ state: 'detached' });
  expect(await cpu.evaluate((plot) => plot === document.activeElement)).toBe(true);
});

it('is described in a sentence, of the visible range only', async () => {
  const cpu = window.page.getByRole('application', { name: 'CPU', exact: true });
  const summary = async (): Promise<string> =>
    (await window.page.locator(`[id="${await cpu.getAttribute('aria-describedby')}"]`).textContent()) ?? '';
  expect(await summary()).toMatch(/^CPU: atom-c2550 peak [\d.]+ % at \d+:\d\d; .*; limit 80 %/);
  await cpu.focus();
  await window.page.keyboard.press('End');
  await window.page.keyboard.press('+');
  await expect.poll(summary).toMatch(/^CPU, \d+:\d\d to \d+:\d\d: atom-c2550 peak/);
  await window.page.keyboard.press('Enter');
  const dialog = window.find('chartTable');
  await dialog.waitFor();
  const [, from = ''] = /^CPU, (\d+:\d\d) to/.exec(await summary()) ?? [];
  expect(await dialog.locator('p').first().textContent()).toBe(await summary());
  expect(await dialog.locator('tbody td').first().textContent()).toContain(`0${from}`);
  await picture('chart-summary');
  await window.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => cpu.evaluate((plot) => plot === document.activeElement)).toBe(true);
  await window.page.keyboard.press('z');
  await window.page.keyboard.press('Escape');
});

it('is restored from full size by its button and by Esc, and keeps the focus', async () => {
  const charts = await window.page.locator('[data-chart]').count();
  for (const leave of ['Escape', 'Enter']) {
    await window.page.locator(`[data-chart="cpu"] ${button}`).press('Enter');
    await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Enter');
    await focus('[data-testid="chart-show-all"]').waitFor();
    expect(await window.page.locator('[data-chart]').count()).toBe(1);
    if (leave === 'Escape') await picture('chart-full');
    await window.page.keyboard.press(leave);
    await expect.poll(() => window.page.locator('[data-chart]').count()).toBe(charts);
    await focus(`[data-chart="cpu"] ${button}`).waitFor();
    // Two presses of Esc in half a second stop everything.
    await window.page.waitForTimeout(600);
  }
});
