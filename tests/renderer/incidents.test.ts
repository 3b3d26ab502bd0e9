import { expect, it } from 'vitest';
import { until } from '../e2e/app';
import { windowTest, type WindowPage } from './windowPage';

/** Incidents without a run: listed, acknowledged and muted from the keyboard. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const rows = (): Promise<readonly string[]> => window.find('incidentRow').allInnerTexts();
const kinds = (): Promise<readonly (string | null)[]> =>
  window.find('incidentRow').evaluateAll((all) => all.map((row) => row.getAttribute('data-kind')));

it('are listed with firing ones on top, in one line each that is not cut', async () => {
  await window.show('idle=watching&incidents');
  await window.find('incidentRow').first().waitFor();
  expect(await kinds()).toEqual(['node-lost', 'level', 'gc-pause', 'publisher-gone', 'version-changed']);
  const [lost = '', cpu = '', gc = ''] = await rows();
  expect(lost).toMatch(/origin \+1[\s\S]*stopped responding[\s\S]*1 min 4\d s/);
  expect(cpu).toMatch(/acknowledged[\s\S]*3 times[\s\S]*14 min/);
  expect(gc).toMatch(/1,000 times/);
  for (const width of [1024, 1280, 1920]) {
    await window.resize(width, 800);
    const cut = await window
      .find('incidentRow')
      .evaluateAll(
        (all) =>
          all.filter((row) => row.scrollWidth > row.clientWidth || row.getBoundingClientRect().height !== 24).length,
      );
    expect([width, cut]).toEqual([width, 0]);
  }
});

it('say why an alert has failed, in a narrow pane and by the keyboard too', async () => {
  await window.show('idle=watching&incidents');
  await window.resize(1024, 700);
  const row = window.find('incidentRow').nth(3);
  const remark = row.locator('[data-testid="incident-remark"]');
  // As wide as beside a wide inspector.
  await window.find('incidentPanel').evaluate((panel) => (panel.style.width = '500px'));
  await until('a narrow pane', async () => !(await row.locator('.node').isVisible()));
  expect(await remark.isVisible()).toBe(true);
  expect(await row.evaluate((line) => line.scrollWidth - line.clientWidth)).toBe(0);
  await remark.press('Enter');
  expect(await remark.getAttribute('aria-expanded')).toBe('true');
  await row.getByText('Check the address in the alert rules.').waitFor();
  await remark.press('Enter');
  expect(await row.getByText('Check the address in the alert rules.').count()).toBe(0);
});

it('are acknowledged and muted by the keyboard', async () => {
  await window.show('idle=watching&incidents');
  await window.find('incidentAcknowledge').first().focus();
  await window.page.keyboard.press('Enter');
  await until('the acknowledged one', async () => (await rows())[0]?.includes('acknowledged'));
  for (const [down, note] of [
    [0, /muted until/],
    [3, /muted(?! until)/],
  ] as const) {
    await window.find('incidentMute').first().focus();
    await window.page.keyboard.press('Space');
    for (let place = 0; place < down; place += 1) await window.page.keyboard.press('ArrowDown');
    await window.page.keyboard.press('Enter');
    await until('the muted one', async () => note.test((await rows())[0] ?? ''));
    await window.find('incidentMute').first().focus();
    await window.page.keyboard.press('Space');
    await until('not muted', async () => !(await rows())[0]?.includes('muted'));
  }
});

it('show their begin in the charts by Enter and by a click, from another list too', async () => {
  await window.show('watch=3&minutes=180&incidents');
  for (const show of ['Enter', 'click']) {
    if (show === 'click') await window.page.getByRole('button', { name: 'Nodes', exact: true }).last().click();
    const [begin = 'no time'] = /\d\d:\d\d:\d\d/.exec((await rows())[show === 'click' ? 1 : 3] ?? '') ?? [];
    // Anywhere on the line.
    if (show === 'click') await window.find('incidentRow').nth(1).locator('.figures').click();
    else await window.find('incidentShow').nth(3).press('Enter');
    // In the list, and at the crosshair, which is at a whole second.
    const [hours = 0, minutes = 0, seconds = 0] = begin.split(':').map(Number);
    const next = new Date(Date.UTC(2026, 0, 1, hours, minutes, seconds + 1)).toISOString().slice(11, 19);
    await until('the crosshair at its begin', async () => {
      const text = await window.page.locator('body').innerText();
      return text.split(begin).length + text.split(next).length > 3;
    });
  }
});

it('give way to the events of a run', async () => {
  await window.show('scenario=pull742&incidents');
  await window.find('eventRow').first().waitFor();
  expect(await window.find('incidentPanel').count()).toBe(0);
  expect(window.errors).toEqual([]);
});
