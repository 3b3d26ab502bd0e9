import { beforeEach, describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** The menu of a row, a job, a picture: by right click, by the Menu key and by Shift F10. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const entries = async (): Promise<readonly string[]> => {
  await window.find('contextMenu').waitFor();
  return (await window.find('contextMenu').getByRole('menuitem').allInnerTexts()).map((text) => text.split('\n')[0]!);
};
const choose = (name: string): Promise<void> =>
  window
    .find('contextMenu')
    .getByRole('menuitem', { name: new RegExp(`^${name}`) })
    .click();
const close = async (): Promise<void> => {
  await window.page.keyboard.press('Escape');
  await window.find('contextMenu').waitFor({ state: 'detached' });
};

describe('during a run', () => {
  beforeEach(() => window.show('scenario=pull742'));

  it('opens for nodes, events, jobs and stills, by pointer and by key', async () => {
    const { page } = window;
    const node = page.locator('[data-testid="node-row"][data-node="tester-1"]');
    await node.click({ button: 'right' });
    expect(await entries()).toEqual(['Show alone in charts', 'Add to those shown', 'Open in Nodes']);
    await choose('Show alone in charts');
    await expect.poll(() => node.getAttribute('aria-pressed')).toBe('true');
    await node.press('Shift+F10');
    expect(await entries()).toContain('Show with the others');
    await close();

    const event = window.find('eventRow').first();
    await event.focus();
    await page.keyboard.press('ContextMenu');
    expect(await entries()).toEqual(expect.arrayContaining(['Show in charts', 'Copy']));
    await choose('Show in charts');
    await page.getByText(/values at cursor/).waitFor();

    await window.find('jobRow').first().click({ button: 'right' });
    expect(await entries()).toEqual(expect.arrayContaining(['Copy stream name', 'Stop job']));
    await close();

    await page.setViewportSize({ width: 1440, height: 1000 });
    await window.find('stillPicture').first().click({ button: 'right' });
    expect(await entries()).toEqual(['Open', 'Show in charts']);
    await close();
  });

  it('opens a node in the list of nodes, which has the menu too', async () => {
    const { page } = window;
    await window.show('scenario=fleet742');
    await page.locator('[data-testid="node-row"][data-node="tester-1"]').click({ button: 'right' });
    await choose('Open in Nodes');
    const row = page.locator('[data-testid="fleet-row"][data-node="tester-1"]');
    await row.waitFor();
    await row.click({ button: 'right' });
    expect(await entries()).toEqual(expect.arrayContaining(['Edit', 'Reconnect', 'Copy as YAML', 'Remove node']));
    await close();
  });
});

describe('the list of runs', () => {
  beforeEach(async () => {
    await window.show('scenario=fail256');
    await window.find('runsTab').click();
    await window.page.locator('[data-run="run-5"]').waitFor();
  });

  it('has all actions in one menu that covers no figure', async () => {
    const { page } = window;
    const row = page.locator('[data-run="run-5"]');
    await row.locator('.nowrap').click({ button: 'right' });
    expect(await entries()).toEqual([
      ...['Open', 'Show in folder', 'Rename', 'Note', 'Tags', 'Mark as baseline'],
      ...['Export report', 'Print to PDF', 'Export run file', 'Snapshot for support', 'Delete'],
    ]);
    await close();
    await row.locator('.nowrap').click();
    await page.keyboard.press('Shift+F10');
    await choose('Rename');
    await row.locator('input').waitFor();
    await page.keyboard.press('Escape');
  });

  it('offers no more than is possible with a damaged file', async () => {
    await window.page.locator('[data-verdict="damaged"] .problem').click({ button: 'right' });
    expect(await entries()).toEqual(['Show in folder', 'Delete']);
  });
});

it('has the button for a changed host key in the sidebar too, which opens the comparison', async () => {
  await window.show('scenario=fleetIdle');
  const fix = window.find('sidebarFix').filter({ hasText: 'Compare keys' });
  await fix.click();
  await window.page.getByRole('button', { name: 'Trust new key' }).waitFor();
  await window.page.getByRole('dialog', { name: /^Host key of tester-3 changed/ }).waitFor();
});
