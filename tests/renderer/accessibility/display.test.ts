import { describe, expect, it } from 'vitest';
import { windowTest, type WindowPage } from '../windowPage';
import { takePicture } from './pictures';

/** How the window adapts to the settings of a person: text size, motion, contrast. */
let window: WindowPage;

windowTest.beforeAll(({ windowPage }) => {
  window = windowPage;
});

const picture = (name: string): Promise<void> => takePicture(window, name);

it('stops and opens views by the same controls at 200 %', async () => {
  await window.show('scenario=pull742');
  await window.zoom(2);
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
