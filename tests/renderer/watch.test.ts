import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from './windowPage';

/** A fleet that is watched without a run. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});
beforeEach(() => {
  window.page.setDefaultTimeout(5000);
});
afterAll(() => {
  expect(window.errors).toEqual([]);
});

const plot = () => window.page.locator('[data-chart="cpu"] .plot');
const ranges = () => window.find('rangeSwitch').getByRole('button').allTextContents();

/** Moves over the lane of the first chart until there is something to click. */
async function clickInLane(): Promise<void> {
  const box = await plot().boundingBox();
  if (!box) throw new Error('The chart of CPU is not displayed.');
  for (let x = 60; x < box.width; x += 10) {
    await window.page.mouse.move(box.x + x, box.y + 7);
    if ((await plot().evaluate(({ style }) => style.cursor)) !== 'pointer') continue;
    await window.page.mouse.down();
    await window.page.mouse.up();
    return;
  }
  throw new Error('Nothing in the lane can be clicked.');
}

describe('a watched fleet', () => {
  // Some minutes before midnight.
  beforeAll(() => window.show('watch=6&minutes=10&zone=utc&now=2026-11-28T23:55:00Z'));

  it('has wall times, and the ranges of which there is something', async () => {
    await expect.poll(ranges).toEqual(['5 min', '1 h']);
    const box = await plot().boundingBox();
    await window.page.mouse.move((box?.x ?? 0) + 150, (box?.y ?? 0) + 60);
    await expect
      .poll(() => window.page.getByRole('tooltip').textContent())
      .toMatch(/23:\d\d:\d\d.*Sat 28 Nov 2026, UTC/);
    await expect
      .poll(() => window.page.locator('.toolbar .state').textContent())
      .toMatch(/values at cursor Sat 28 Nov, 23:/);
  });

  it('shows only charts that have data', async () => {
    const charts = await window.page
      .locator('[data-chart]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-chart')));
    expect(charts).toEqual(expect.arrayContaining(['cpu', 'memory', 'viewers']));
    expect(charts).not.toEqual(expect.arrayContaining(['jitter']));
  });

  it('zooms as a run does', async () => {
    await window.page.mouse.move(0, 0);
    await window.page.keyboard.press('+');
    await expect
      .poll(() => window.find('rangeSwitch').locator('[aria-pressed="true"], [aria-checked="true"]').count())
      .toBe(0);
    await window.page.keyboard.press('z');
  });

  it('has the runs that took place, which open, and is still there once they are closed', async () => {
    await clickInLane();
    await window.find('closeRun').click();
    await expect.poll(ranges).toEqual(['5 min', '1 h']);
    await expect.poll(async () => Number(await plot().getAttribute('data-points'))).toBeGreaterThan(100);
  });
});
