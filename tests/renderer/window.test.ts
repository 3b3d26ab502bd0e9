import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWindowPage, type WindowPage } from './windowPage';

/** What the window does with an engine whose every figure is known. */
let window: WindowPage;

beforeAll(async () => {
  window = await openWindowPage();
});
afterAll(async () => {
  await window.close();
});

const text = async (id: Parameters<WindowPage['find']>[0]): Promise<string> =>
  ((await window.find(id).first().textContent()) ?? '').replace(/\s+/g, ' ').trim();

describe('a run under way', () => {
  beforeAll(() => window.show('scenario=pull742'));

  it('has its figures in the headline', async () => {
    expect(await text('viewersConnected')).toBe('742');
    expect(await text('phaseChip')).toBe('ramp 2 of 2');
    expect(await text('degraded')).toBe('Degraded 23 3.1 % limit 1 % · origin says 19');
    expect(await text('rate')).toContain('asked 10 /s');
    expect(await text('elapsed')).toContain('2:56 left of 5:00');
  });

  it('says why viewers failed, and leads to the moment', async () => {
    await window.find('failures').getByRole('button').click();
    const popover = window.find('failuresPopover');
    expect(await popover.textContent()).toContain('No candidate pair answered in time');
    await popover.getByRole('button', { name: /viewer 688/ }).click();
    await window.page.keyboard.press('Escape');
    await popover.waitFor({ state: 'detached' });
    await window.page.getByText('values at cursor 1:52').waitFor();
  });

  it('moves the crosshair to an event, and lights its row', async () => {
    const row = window.find('eventRow').filter({ hasText: 'Picture froze' });
    await row.click();
    await window.page.locator('[data-testid="event-row"].lit').filter({ hasText: 'Picture froze' }).waitFor();
  });

  it('isolates a node by a click and by its key', async () => {
    const node = window.page.locator('[data-node="tester-1"]');
    await node.click();
    expect(await node.getAttribute('aria-pressed')).toBe('true');
    await window.page.keyboard.press('2');
    expect(await node.getAttribute('aria-pressed')).toBe('false');
  });

  it('keeps its player while the runs are looked at: its record must not break off', async () => {
    const video = window.page.locator('[data-testid="player"] video');
    await video.evaluate((element: HTMLElement) => (element.dataset['before'] = 'yes'));
    await window.find('runsTab').click();
    await window.find('runsFilter').waitFor();
    await window.find('consoleTab').click();
    await window.find('runsFilter').waitFor({ state: 'detached' });
    expect(await video.getAttribute('data-before')).toBe('yes');
  });

  it('lists viewers, sorted, without a thousand rows in the page', async () => {
    await window.page.keyboard.press('v');
    const rows = window.find('viewerRow');
    await rows.first().waitFor();
    expect(await rows.count()).toBeLessThan(60);
    await window.find('viewersDialog').getByRole('button', { name: 'Connect', exact: true }).click();
    await window.find('viewersDialog').getByRole('button', { name: 'failed', exact: true }).click();
    expect(await rows.first().textContent()).toContain('failed at ICE');
    await window.page.keyboard.press('Escape');
    await window.find('viewersDialog').waitFor({ state: 'detached' });
  });

  it('stops by Esc Esc, counts down and then offers to force', async () => {
    await window.page.keyboard.press('Escape');
    await window.page.keyboard.press('Escape');
    await window.find('stopAll').filter({ hasText: 'Stopping, 412 left' }).waitFor();
    await window.find('stopAll').filter({ hasText: 'Force, 412 left' }).waitFor();
  });
});

describe('a pull that does not fit', () => {
  beforeAll(() => window.show('idle=watching'));

  it('is refused under its field, and mended by the button beside it', async () => {
    await window.page.keyboard.press('p');
    await window.find('pullViewers').fill('13000');
    await window.find('pullProblem').filter({ hasText: 'can play 12,000 viewers' }).waitFor();
    expect(await window.find('pullStart').isDisabled()).toBe(true);
    await window.find('pullMend').click();
    await window.find('pullProblem').waitFor({ state: 'detached' });
    expect(await window.find('pullYaml').textContent()).toContain('viewers: 12000');
    await window.find('pullExpectedMbps').filter({ hasText: '2,040' }).waitFor();
  });

  it('asks for a unit', async () => {
    await window.find('pullHold').fill('90');
    await window.find('pullMend').filter({ hasText: 'Use 90 s' }).click();
    expect(await window.find('pullHold').inputValue()).toBe('90 s');
    await window.page.keyboard.press('Escape');
    await window.find('pullDialog').waitFor({ state: 'detached' });
  });
});

describe('kept runs', () => {
  beforeAll(() => window.show('scenario=fail256'));

  it('are filtered by verdict and by words', async () => {
    await window.find('runsTab').click();
    await window.find('verdictFilter').getByRole('button', { name: /^Fail/ }).click();
    expect(await window.find('runRow').count()).toBe(2);
    await window.page.keyboard.press('/');
    await window.find('runsFilter').fill('before');
    expect(await window.find('runRow').count()).toBe(1);
  });

  it('tell what is wrong with a damaged file', async () => {
    await window.find('runsFilter').fill('');
    await window
      .find('verdictFilter')
      .getByRole('button', { name: /^Damaged/ })
      .click();
    expect(await text('runRow')).toContain('it was not copied to its end');
  });

  it('go and come back', async () => {
    await window
      .find('verdictFilter')
      .getByRole('button', { name: /^Stopped/ })
      .click();
    await window.find('runRow').click();
    await window.find('runDelete').click();
    await window.find('runRow').waitFor({ state: 'detached' });
    await window.find('undo').click();
    await window
      .find('verdictFilter')
      .getByRole('button', { name: /^Stopped/ })
      .click();
    await window.find('runRow').waitFor();
  });

  it('are reached, renamed and deleted by keys alone', async () => {
    const { page } = window;
    await window.find('verdictFilter').getByRole('button', { name: /^All/ }).click();
    await page.keyboard.press('/');
    await window.find('runsFilter').fill('before');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('F2');
    await page.keyboard.type('Named before');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Kept runs' }).and(page.locator(':focus')).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Escape');
    await page.locator('tr[aria-selected="true"]').filter({ hasText: 'Named before' }).waitFor();
    await page.keyboard.press('Delete');
    await window.find('runRow').filter({ hasText: 'Named before' }).waitFor({ state: 'detached' });
    await window.find('undo').last().click();
    await window.find('runRow').filter({ hasText: 'Named before' }).waitFor();
  });

  it('open with their verdict, whose reasons lead to their moments', async () => {
    await window.find('verdictFilter').getByRole('button', { name: /^All/ }).click();
    await window.page.locator('[data-run="run-5"]').dblclick();
    await window
      .find('verdict')
      .filter({ hasText: /^\s*fail\s*$/i })
      .waitFor();
    await window.find('reason').nth(2).click();
    await window.page.getByText('values at cursor 2:31').waitFor();
    expect(await window.page.locator('[data-testid="reason"].lit').textContent()).toContain('48.2 ms');
  });
});

describe('a menu that floats', () => {
  it('is walked by arrows and left by Escape, with the focus where it was', async () => {
    const { page } = window;
    await window.find('exportMenu').first().focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.locator('[data-testid="export-fullhouse"]:focus').waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    await page.locator('[data-testid="export-csv"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('[data-testid="export-menu"]:focus').waitFor();
  });
});

describe('the window', () => {
  it('switches theme and time zone by key, and names the zone', async () => {
    await window.show('scenario=pull742');
    await window.page.keyboard.press('d');
    expect(await window.page.evaluate(() => document.documentElement.dataset['theme'])).toBe('light');
    await window.page.keyboard.press('t');
    await window.find('zoneSwitch').locator('[aria-pressed="true"]', { hasText: 'UTC' }).waitFor();
    expect(await text('runTitle')).toContain('Tue 24 Nov 2026, 16:39:47');
  });

  it('finds its commands by name', async () => {
    await window.page.keyboard.press('Control+k');
    await window.page.keyboard.type('kept runs');
    await window.page.keyboard.press('Enter');
    await window.find('runsFilter').waitFor();
  });

  it('wrote no error to its console all the while', () => {
    expect(window.errors).toEqual([]);
  });
});
