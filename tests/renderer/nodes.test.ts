import { beforeAll, describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** A window with many nodes, some of them failed: sidebar, charts, and filtering, sorting and selection in the list. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const row = (id: string) => window.page.locator(`[data-testid="fleet-row"][data-node="${id}"]`);
const listed = (): Promise<string[]> =>
  window.find('fleetRow').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-node') ?? ''));
const selected = (): Promise<string[]> =>
  window.page
    .locator('[data-testid="fleet-row"][aria-selected="true"]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-node') ?? ''));
const grid = () => window.page.getByRole('grid', { name: 'Nodes' });

describe('a run with 40 nodes', () => {
  beforeAll(() => window.show('scenario=nodes40'));

  it('has its failed nodes in one expandable line of the sidebar', async () => {
    const fold = window.find('failedNodes');
    await fold.filter({ hasText: '12 failed nodes' }).waitFor();
    expect(await window.find('nodeRow').count()).toBe(28);
    await fold.press('Enter');
    expect(await fold.getAttribute('aria-expanded')).toBe('true');
    expect(await window.find('nodeRow').count()).toBe(40);
    await window.page.getByText('SSH to 10.20.3.41 timed out').first().waitFor();
    await fold.click();
    expect(await window.find('nodeRow').count()).toBe(28);
  });

  it('shows at least 15 of its nodes in the sidebar without scrolling', async () => {
    await window.page.setViewportSize({ width: 1280, height: 800 });
    const inView = await window.find('nodeRow').evaluateAll((rows) => {
      const list = rows[0]?.closest('.scroll')?.getBoundingClientRect();
      return rows.filter((row) => list && row.getBoundingClientRect().bottom <= list.bottom).length;
    });
    expect(inView).toBeGreaterThanOrEqual(15);
  });

  it('has no figure in a chart for a node that never responded', async () => {
    const { page } = window;
    await page.keyboard.press('f');
    const figures = page.locator('.card header .figure');
    await expect.poll(() => figures.count()).toBeGreaterThan(15);
    const names = await figures.evaluateAll((all) => all.map((each) => each.getAttribute('title') ?? ''));
    expect(names).toContain('tester-2');
    expect(names.filter((name) => /^tester-(2[5-9]|3\d)$/.test(name))).toEqual([]);
    await page.keyboard.press('f');
  });

  it('has a tooltip that lists at most 20 nodes and sums up the rest', async () => {
    const { page } = window;
    await page.setViewportSize({ width: 1280, height: 800 });
    // Once its place rests: the grid follows the size of the window.
    const plot = page.locator('.card[data-chart="cpu"] .plot');
    await plot.hover();
    const tooltip = page.getByRole('tooltip');
    await tooltip.waitFor();
    await tooltip
      .getByText(/^\s*\d+ more, [\d.]+ to [\d.]+\s*%/)
      .first()
      .waitFor();
    const rows = await tooltip.locator('dl').first().locator('div').count();
    expect(rows).toBeLessThanOrEqual(20);
  });
});

describe('a list of 20 nodes', () => {
  beforeAll(async () => {
    await window.show('scenario=nodes20Idle');
    await window.find('nodesTab').click();
    await row('origin').waitFor();
  });

  it('is filtered from the keyboard, with the number of matches', async () => {
    const { page } = window;
    await page.keyboard.press('/');
    await window.find('nodesFilter').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('failed');
    await page.getByText('6 of 20').waitFor();
    expect(await listed()).toHaveLength(6);
    await page.keyboard.type(' nonsense');
    await page.getByText('No node matches "failed nonsense".').waitFor();
    await page.keyboard.press('Escape');
    expect(await listed()).toHaveLength(20);
  });

  it('is sorted by a column, by click and by key, and announces it to a screen reader', async () => {
    const byCpu = window.page.getByTestId('node-sort-cpu');
    const order = async (): Promise<string | null> =>
      window.page.locator('th').filter({ has: byCpu }).getAttribute('aria-sort');
    const cpu = async (): Promise<number[]> =>
      (await window.find('fleetRow').locator('.cpu').allTextContents())
        .map((text) => Number.parseFloat(text))
        .filter((value) => !Number.isNaN(value));
    await byCpu.click();
    expect(await order()).toBe('descending');
    const down = await cpu();
    expect(down.length).toBeGreaterThan(10);
    expect(down).toEqual([...down].sort((a, b) => b - a));
    await byCpu.press('Enter');
    expect(await order()).toBe('ascending');
    const up = await cpu();
    expect(up).toEqual([...up].sort((a, b) => a - b));
    expect(await row((await listed()).at(-1) ?? '').getAttribute('data-state')).toBe('failed');
    await byCpu.press('Enter');
    expect(await order()).toBe('none');
    expect((await listed())[0]).toBe('origin');
  });

  it('has columns resized by key, from the narrowest to the width of the table, and reset', async () => {
    const handle = window.page.getByRole('separator', { name: 'Width of Address' });
    const column = window.page.getByRole('columnheader').filter({ has: window.page.getByTestId('node-sort-address') });
    const width = (): Promise<number> => column.evaluate((head) => head.getBoundingClientRect().width);
    const shown = async (): Promise<number> => Number(await handle.getAttribute('aria-valuenow'));
    const initial = await width();
    expect(await shown()).toBe(Math.round(initial));
    await window.page.getByTestId('node-sort-address').focus();
    await window.page.keyboard.press('Tab');
    await handle.and(window.page.locator(':focus')).waitFor();
    const cursor = await selected();
    // As with a key held down: the second comes before the first is drawn.
    await handle.evaluate((element) => {
      for (let i = 0; i < 2; i++)
        element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true, cancelable: true }));
    });
    await expect.poll(shown).toBe(Math.round(initial) + 16);
    await handle.press('Shift+ArrowLeft');
    await expect.poll(shown).toBe(Math.round(initial) - 24);
    expect(await width()).toBeCloseTo(await shown());
    await handle.press('Home');
    await expect.poll(width).toBe(32);
    await handle.press('End');
    await expect.poll(shown).toBe(Number(await handle.getAttribute('aria-valuemax')));
    await handle.press('Enter');
    await expect.poll(width).toBeCloseTo(initial);
    // The keys are not the table's: neither its row nor its order has changed.
    expect(await selected()).toEqual(cursor);
    expect(await column.getAttribute('aria-sort')).toBe('none');
  });

  it('has rows selected by click, Ctrl and Shift', async () => {
    await row('tester-2').click();
    expect(await selected()).toEqual(['tester-2']);
    await row('tester-5').click({ modifiers: ['Shift'] });
    expect(await selected()).toEqual(['tester-2', 'tester-3', 'tester-4', 'tester-5']);
    await row('tester-3').click({ modifiers: ['Control'] });
    expect(await selected()).toEqual(['tester-2', 'tester-4', 'tester-5']);
    await window.page.getByText('3 selected').waitFor();
  });

  it('has rows selected by keys', async () => {
    const { page } = window;
    await row('tester-2').click();
    await grid().focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    expect(await selected()).toEqual(['tester-2', 'tester-3', 'tester-4']);
    await page.keyboard.press('Space');
    expect(await selected()).toEqual(['tester-2', 'tester-3']);
    await page.keyboard.press('Escape');
    expect(await selected()).toEqual(['tester-4']);
    await page.keyboard.press('Control+a');
    expect(await selected()).toHaveLength(20);
    await page.keyboard.press('Home');
    expect(await selected()).toEqual(['origin']);
  });

  it('has several nodes removed at once without confirmation, and restored by Undo', async () => {
    const { page } = window;
    const before = await listed();
    await row('tester-3').click();
    await row('tester-5').click({ modifiers: ['Shift'] });
    await grid().focus();
    await page.keyboard.press('Delete');
    await row('tester-4').waitFor({ state: 'detached' });
    expect(await page.locator('dialog').count()).toBe(0);
    const notice = window.find('notice').filter({ hasText: 'Removed 3 nodes.' });
    await notice.waitFor();
    expect(await listed()).toHaveLength(17);
    await notice.getByRole('button', { name: 'Undo' }).click();
    await row('tester-4').waitFor();
    expect(await listed()).toEqual(before);
    expect(await selected()).toEqual(['tester-3', 'tester-4', 'tester-5']);
  });

  it('removes selected nodes by the button, except those hidden by the filter', async () => {
    const { page } = window;
    await grid().focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('/');
    await page.keyboard.type('failed');
    await page.getByText('6 selected').waitFor();
    await window.find('nodesRemove').click();
    await page.getByText('No node matches').waitFor();
    await window.find('nodesFilter').fill('');
    expect(await listed()).toHaveLength(14);
  });
});

describe('the first start', () => {
  beforeAll(() => window.show('idle=first'));

  it('offers to add a server besides the lab, and opens its field', async () => {
    await window.find('addGenericServer').filter({ hasText: 'Add your own server' }).click();
    await window.find('addAddress').and(window.page.locator(':focus')).waitFor();
  });
});

it('shows a node without SSH as a note, neither red nor amber', async () => {
  await window.show('scenario=fleet742');
  await window.find('nodesTab').click();
  const note = row('nginx-old').getByTestId('node-problem');
  await note.filter({ hasText: 'add SSH or node_exporter' }).waitFor();
  const [colour, failure, warning] = await note.evaluate((element) => {
    const tokens = getComputedStyle(document.documentElement);
    const probe = document.body.appendChild(document.createElement('i'));
    const colourOf = (token: string): string => {
      probe.style.color = tokens.getPropertyValue(token);
      return getComputedStyle(probe).color;
    };
    const found = [getComputedStyle(element).color, colourOf('--danger'), colourOf('--warning')];
    probe.remove();
    return found;
  });
  expect([failure, warning]).not.toContain(colour);
});
