import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** Any series in any chart, and custom layouts. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});
afterAll(() => {
  expect(window.errors).toEqual([]);
});

const titles = (): Promise<readonly string[]> => window.page.locator('[data-chart] h3').allTextContents();
const card = (id: string) => window.page.locator(`[data-chart="${id}"]`);

async function addChart(search: string, title?: string): Promise<void> {
  await window.find('addChart').click();
  await window.find('addChartSearch').fill(search);
  await window.find('addChartSeries').first().check();
  if (title !== undefined) await window.find('addChartTitle').fill(title);
  await window.page.keyboard.press('Enter');
  await window.find('addChartDialog').waitFor({ state: 'detached' });
}

async function drawn(id: string): Promise<void> {
  const points = () => card(id).locator('.plot').getAttribute('data-points');
  await expect.poll(async () => Number(await points()), { timeout: 5000 }).toBeGreaterThan(20);
}

beforeEach(() => {
  window.page.setDefaultTimeout(5000);
});

describe('charts of an active run', () => {
  beforeAll(() => window.show('scenario=pull742'));

  it('include a chart of any series, found by its id', async () => {
    await addChart('connectP95Ms', 'Connect p95');
    expect((await titles()).at(-1)).toBe('Connect p95');
    await card('custom:1').scrollIntoViewIfNeeded();
    await drawn('custom:1');
    expect(await card('custom:1').locator('.figure').count()).toBeGreaterThan(0);
  });

  it('offer only series of the same unit once one is chosen', async () => {
    await window.page.keyboard.press('g');
    await window.find('addChartSearch').fill('p95');
    const rtt = window.page.locator('[data-series="rttP95Ms"]');
    const jitter = window.page.locator('[data-series="jitterP95Ms"]');
    await jitter.check();
    expect(await rtt.isEnabled()).toBe(true);
    await window.find('addChartSearch').fill('cpu');
    expect(await window.page.locator('[data-series="cpuPercent"]').isEnabled()).toBe(false);
    await window.find('addChartDialog').getByRole('button', { name: 'Close' }).click();
  });

  it('are moved, collapsed and removed by the menu, and the change is announced', async () => {
    await card('memory').locator('.plot').click({ button: 'right' });
    await window.page.locator('[data-action="move-first"]').click();
    expect((await titles())[0]).toBe('Memory');
    await window.page.getByText('Memory: position 1 of 10').waitFor({ state: 'attached' });

    await card('gc').locator('.plot').click({ button: 'right' });
    await window.page.locator('[data-action="fold"]').click();
    expect(await titles()).not.toContain('GC pause');
    await window.find('foldedChart').filter({ hasText: 'GC pause' }).click();
    expect(await titles()).toContain('GC pause');

    await card('cpu').locator('.plot').click({ button: 'right' });
    await window.page.locator('[data-action="remove"]').click();
    expect(await titles()).not.toContain('CPU');
    await window.find('addChart').click();
    await window.find('showChart').click();
    await window.find('addChartDialog').getByRole('button', { name: 'Close' }).click();
    expect(await titles()).toContain('CPU');
  });

  it('are moved by drag', async () => {
    const before = await titles();
    await card('viewers')
      .locator('header')
      .dragTo(card('memory').locator('header'), {
        targetPosition: { x: 8, y: 8 },
      });
    expect((await titles()).slice(0, 2)).toEqual(['Viewers', 'Memory']);
    expect((await titles()).length).toBe(before.length);
  });

  it('are saved and restored as a named layout', async () => {
    const own = await titles();
    await window.find('layoutMenu').click();
    await window.find('layoutSaveAs').click();
    await window.find('layoutName').fill('soak');
    await window.page.keyboard.press('Enter');
    await window.find('layoutMenu').filter({ hasText: 'soak' }).waitFor();
    await window.find('layoutMenu').click();
    await window.find('layoutReset').click();
    expect((await titles()).length).toBe(9);
    await window.find('layoutMenu').click();
    await window.find('layoutItem').filter({ hasText: 'soak' }).click();
    expect(await titles()).toEqual(own);
  });
});

describe('the table of all series', () => {
  it('of an active run is sorted and filtered, and opens a chart', async () => {
    await window.show('scenario=pull742');
    await window.page.keyboard.press('w');
    const rows = window.find('seriesTableRow');
    await rows.first().waitFor();
    expect(await rows.first().textContent()).toContain('atom-c2550');
    await window.find('seriesTable').locator('[data-column="max"]').click();
    await window.find('seriesTable').locator('[aria-sort="descending"]').waitFor();
    await window.find('seriesTableFilter').fill('connect p95');
    await expect.poll(() => rows.count()).toBe(2);
    await rows.first().getByRole('button', { name: 'Add chart' }).click();
    await window.find('addChartDialog').waitFor();
    expect(await window.page.locator('[data-series="connectP95Ms"]').isChecked()).toBe(true);
    await window.find('addChartDialog').getByRole('button', { name: 'Close' }).click();
  });
});
