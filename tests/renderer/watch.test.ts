import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { layoutProblems } from './layout';
import { isNight } from '../../src/domain/text/night';
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

const view = (name: string) => window.find('watchViews').getByRole('button', { name }).click();
const tiles = () =>
  window.page.locator('[data-tile]').evaluateAll((all) => all.map((each) => each.getAttribute('data-tile') ?? ''));
const focused = () => window.page.evaluate(() => document.activeElement?.getAttribute('data-tile'));

describe('nodes of a watched fleet', () => {
  beforeAll(async () => {
    await window.show('watch=20&zone=utc&now=2026-11-28T14:05:30Z');
    await view('Nodes');
  });

  it('are counted in the headline, with the worst of them', async () => {
    await expect.poll(() => window.find('watchUp').textContent()).toMatch(/18\s*\/ 20.*2 lost, 1 warning/s);
    expect(await window.find('watchCpu').textContent()).toMatch(/ams-edge-08/);
    expect(await window.find('watchViewers').textContent()).toMatch(/2,\d\d\d/);
    expect(await window.find('watchAlerts').textContent()).toMatch(/0/);
  });

  it('are in groups, the worst first in each', async () => {
    const groups = await window.page
      .locator('[data-group]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-group')));
    expect(groups).toEqual(['ams', 'fra', 'iad', 'tester']);
    expect((await tiles()).slice(0, 4)).toEqual(['ams-edge-05', 'ams-edge-14', 'ams-edge-08', 'ams-edge-02']);
    await window.page.locator('[data-group="ams"]').click();
    expect(await tiles()).not.toContain('ams-edge-05');
    await window.page.locator('[data-group="ams"]').click();
  });

  it('are changed once a second at most, however many samples arrive', async () => {
    const most = await window.page.evaluate(async () => {
      const counts = new Map<string, number>();
      const observer = new MutationObserver((changes) => {
        const changed = changes.flatMap(
          ({ target }) => target.parentElement?.closest('[data-tile]')?.getAttribute('data-tile') ?? [],
        );
        for (const tile of new Set(changed)) counts.set(tile, (counts.get(tile) ?? 0) + 1);
      });
      observer.observe(document.querySelector('[data-testid="node-wall"]') as Element, {
        ...{ subtree: true, childList: true, characterData: true, attributes: true },
      });
      await new Promise((done) => setTimeout(done, 3200));
      observer.disconnect();
      return Math.max(...counts.values());
    });
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(4);
  });

  it('are reached by arrow keys, and Enter opens one', async () => {
    await window.find('wallFilter').fill('edge-1');
    await expect.poll(tiles).toHaveLength(9);
    await window.page.keyboard.press('ArrowDown');
    const [first, second] = await tiles();
    expect(await focused()).toBe(first);
    await window.page.keyboard.press('ArrowRight');
    expect(await focused()).toBe(second);
    await window.page.keyboard.press('Enter');
    await expect
      .poll(() => window.page.locator('[data-node][aria-selected="true"]').getAttribute('data-node'))
      .toBe(second);
    await window.find('consoleTab').click();
    await window.find('wallFilter').fill('');
  });
});

describe('streams of all servers', () => {
  beforeAll(() => view('Streams'));
  const rows = () =>
    window
      .find('allStreams')
      .locator('[data-stream]')
      .evaluateAll((all) => all.map((each) => each.getAttribute('data-stream') ?? ''));

  it('are sorted, found by server or publisher, and play', async () => {
    const list = window.find('allStreams');
    await list.getByRole('button', { name: 'Stream', exact: true }).click();
    expect((await rows())[0]).toBe('fra-edge-01 cam-0-1');
    await window.find('allStreamsFilter').fill('ams studio-7');
    await expect.poll(rows).toEqual(['ams-edge-08 cam-7-1', 'ams-edge-08 cam-7-3']);
    await list.locator('[data-stream="ams-edge-08 cam-7-3"]').dblclick();
    await expect.poll(() => window.page.locator('.side').textContent()).toMatch(/cam-7-3/);
  });
});

describe('a watched fleet in a narrow window', () => {
  beforeAll(() => window.show('watch=20&minutes=10&zone=utc&now=2026-11-28T14:05:30Z'));

  it.each([1440, 1280, 1024])('of %d px cuts no text of its headline and toolbar', async (width) => {
    await window.resize(width, 800);
    for (const name of ['Charts', 'Nodes', 'Streams']) {
      await view(name);
      await window.page.waitForTimeout(300);
      expect(await layoutProblems(window.page)).toEqual([]);
    }
  });
});

describe('wall mode', () => {
  // 22:30 by the clock of this machine, which is day in the zone of the window.
  const now = new Date(2026, 10, 28, 22, 30);
  const zone = ['utc', 'Asia/Tokyo', 'America/New_York'].find((each) => !isNight(now.getTime(), each)) ?? '';
  beforeAll(() => window.show(`watch=100&minutes=2&zone=${zone}&now=${now.toISOString()}`));

  it('shows the fleet without controls, darker at night in its room, and Esc leaves it', async () => {
    await window.page.keyboard.press('F9');
    const wall = window.find('wallMode');
    await expect.poll(() => wall.textContent()).toMatch(/92\s*\/ 100 nodes up/);
    expect(await wall.locator('button, a, input').count()).toBe(0);
    expect(await wall.evaluate((element) => getComputedStyle(element).filter)).toBe('brightness(0.4)');
    // Large enough to be read from 4 m, and nothing cut.
    expect(
      await wall
        .locator('.value')
        .first()
        .evaluate((element) => parseFloat(getComputedStyle(element).fontSize)),
    ).toBeGreaterThan(72);
    await expect.poll(() => wall.locator('li').last().textContent()).toMatch(/^\d+ more$/);
    expect(
      await wall.locator('ul').evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
    ).toBeLessThanOrEqual(1);
    // Keys of the window rest.
    await window.page.keyboard.press('p');
    expect(await window.page.locator('dialog[open]').count()).toBe(0);
    await window.page.keyboard.press('Escape');
    await wall.waitFor({ state: 'detached' });
    expect(await window.page.locator('.window').getAttribute('inert')).toBeNull();
  });
});

describe('the control player of a watched fleet', () => {
  beforeAll(() => window.show('watch=20&minutes=2&zone=utc&now=2026-11-28T14:05:30Z'));
  const player = () => window.page.locator('[data-testid="player"]');
  const heading = () => player().locator('header').textContent();

  it('plays nothing unasked, offers a stream, and can be stopped', async () => {
    // Longer than the window takes to list the streams.
    await window.find('watchStreams').filter({ hasText: '41' }).waitFor();
    await window.page.waitForTimeout(1500);
    expect(await player().getAttribute('data-state')).toBe('idle');
    expect((await window.find('playerOffer').textContent())?.trim()).toBe('Play cam-0-1 of fra-edge-01');
    await window.find('playerOffer').click();
    await expect.poll(() => player().getAttribute('data-state')).not.toBe('idle');
    await window.find('playerStop').click();
    await window.find('playerOffer').waitFor();
  });

  it('rotates through the listed streams, and says which were faulty', async () => {
    await view('Streams');
    await window.find('allStreamsFilter').fill('ams studio-7');
    await window.find('allStreams').getByRole('combobox').selectOption('10');
    expect((await window.find('rotation').textContent())?.trim()).toBe('Rotate 2 streams');
    await window.find('rotation').click();
    await expect.poll(heading).toMatch(/cam-7-1/);
    await expect.poll(heading, { timeout: 15_000 }).toMatch(/cam-7-3/);
    // The fake engine has no media.
    const row = window.find('allStreams').locator('[data-stream="ams-edge-08 cam-7-1"]');
    await expect.poll(() => row.textContent()).toMatch(/no picture/);
    await window.find('rotation').click();
    expect((await window.find('rotation').textContent())?.trim()).toBe('Rotate 2 streams');
  });
});
