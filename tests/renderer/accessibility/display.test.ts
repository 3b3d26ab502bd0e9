import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from '../windowPage';
import { reflowProblems } from './reflow';
import { consoleScreens, dialogScreens, type Screen } from './screens';

/** How the window adapts to the settings of a person: text size, motion, contrast. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

/** Folder for screenshots; none if unset. */
const pictures = process.env['FULLHOUSE_PICTURES'];
async function picture(name: string): Promise<void> {
  if (!pictures) return;
  await mkdir(pictures, { recursive: true });
  await writeFile(join(pictures, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`), await window.capture());
}

/** Zooms the page as the menu entry `Larger text` does. */
async function zoom(factor: number): Promise<void> {
  await window.resize(1280, 800);
  await window.zoom(factor);
  await expect.poll(() => window.page.evaluate(() => innerWidth)).toBe(1280 / factor);
}

const screen = (name: string): Screen => {
  const found = [...consoleScreens, ...dialogScreens].find((each) => each.name === name);
  if (!found) throw new Error(`There is no screen "${name}".`);
  return found;
};

describe('at 200 % in a window of 1280 x 800', () => {
  // The zoom is remembered for the page's address.
  afterAll(() => window.zoom(1));

  it.each([
    ...['empty window, first start', 'live run', 'run ended', 'chart as a table', 'nodes', 'add node, probe'],
    ...['edit node', 'runs', 'compare', 'Pull, constant', 'Preflight', 'Publish', 'settings', 'keys', 'palette'],
  ])('%s has no loss of content or function', async (name) => {
    const { query, open } = screen(name);
    await window.show(query);
    await open(window);
    await zoom(2);
    // The new layout is drawn.
    await window.page.waitForTimeout(300);
    await picture(`zoom-200-${name}`);
    expect(await reflowProblems(window.page)).toEqual([]);
  });

  it('stops and opens views by the same controls', async () => {
    await window.show('scenario=pull742');
    await zoom(2);
    await window.find('nodesTab').click();
    await window.find('fleetRow').first().waitFor();
    await window.find('consoleTab').click();
    await window.page.locator('[data-chart="bandwidth"]').scrollIntoViewIfNeeded();
    await window.page.locator('[data-chart="bandwidth"] [data-testid="chart-menu-button"]').click();
    await window.find('chartMenu').waitFor();
    await window.page.keyboard.press('Escape');
    await window.find('stopAll').click();
    await window.find('statePill').filter({ hasText: 'Stopping' }).waitFor();
  });
});

it('has no motion where the system asks for none', async () => {
  await window.show('scenario=pull742');
  const moving = (): Promise<readonly string[]> =>
    window.page.evaluate(() => [
      ...document.getAnimations().map((animation) => `animation of ${(animation as CSSAnimation).animationName}`),
      ...[...document.querySelectorAll('*')].flatMap((element) => {
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(element);
        const isMoving = transitionDuration !== '0s' || animationName !== 'none' || scrollBehavior === 'smooth';
        return isMoving ? [`${element.tagName} ${element.className.toString()}`] : [];
      }),
    ]);
  expect((await moving()).length).toBeGreaterThan(0);
  await window.page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await moving()).toEqual([]);
  await window.page.keyboard.press('p');
  await window.find('pullDialog').waitFor();
  expect(await moving()).toEqual([]);
});

describe('colours', () => {
  const shown = () => window.page.evaluate(() => document.documentElement.dataset['theme']);

  it('have high contrast where the system asks for it or replaces colours', async () => {
    await window.show('scenario=pull742&theme=system');
    await window.page.emulateMedia({ colorScheme: 'light', contrast: 'no-preference' });
    await expect.poll(shown).toBe('light');
    await window.page.emulateMedia({ colorScheme: 'light', contrast: 'more' });
    await expect.poll(shown).toBe('high-contrast');
    await window.page.emulateMedia({ contrast: null, forcedColors: 'active' });
    await expect.poll(shown).toBe('high-contrast');
    // Charts are drawn a few in each frame.
    const unseen = window.page.locator('[data-chart] .plot:not([data-points])');
    await expect.poll(() => unseen.count()).toBe(0);
    await window.page.waitForTimeout(300);
    await picture('forced-colors');
    await window.page.emulateMedia({ forcedColors: null });
  });

  it('are not needed to tell lines apart: each has markers, and its node the same one', async () => {
    await window.show('scenario=pull742&theme=high-contrast');
    await window.page.locator('[data-chart="cpu"] .plot[data-points]').waitFor();
    await window.resize(1280, 800);
    await window.page.waitForTimeout(300);
    await picture('high-contrast-1280');
    const shapes = await window.page
      .locator('[data-chart="cpu"] header .figure i')
      .evaluateAll((swatches) => swatches.map((swatch) => getComputedStyle(swatch).clipPath));
    expect(shapes.length).toBeGreaterThan(1);
    expect(new Set(shapes).size).toBe(shapes.length);
    await window.resize(1920, 1080);
    await window.page.waitForTimeout(300);
    await picture('high-contrast-1920');
  });
});

it('stands still while paused, and jumps to live when resumed', async () => {
  await window.show('scenario=pull742');
  await window.find('pauseButton').click();
  await window.find('pausedChip').waitFor();
  await expect.poll(() => window.find('announcements').textContent()).toContain('paused');
  await window.page.getByText('paused', { exact: true }).waitFor();
  await picture('paused');
  await window.page.keyboard.press('l');
  await window.find('pausedChip').waitFor({ state: 'detached' });
  await window.page.keyboard.press('h');
  await window.find('pausedChip').click();
  await window.find('pausedChip').waitFor({ state: 'detached' });
  expect(window.errors).toEqual([]);
});
