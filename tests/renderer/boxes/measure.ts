import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { themes, type Theme } from '../../../src/contract/shell';
import type { Screen } from '../accessibility/screens';
import { previewFolder } from '../buildPage';
import { windowTest, type WindowPage } from '../windowPage';
import type { BoxProblems } from './page/index';

interface Size {
  readonly width: number;
  readonly height: number;
  readonly isEnlarged: boolean;
}

/** Sizes of the content, CSS px. */
export const plainSizes: readonly Size[] = [
  { width: 1024, height: 768, isEnlarged: false },
  { width: 1280, height: 800, isEnlarged: false },
  { width: 1920, height: 1080, isEnlarged: false },
];
/** 1280 x 800 at 200 %. */
export const enlarged: Size = { width: 640, height: 400, isEnlarged: true };
const startSize = { width: 1440, height: 900 };
/** Themes differ in colours and marks only: all of them are measured here. */
const themedWidth = 1280;

/** The problems in each theme, after a change of the size. */
const measured = (page: Page, { isEnlarged }: Size, inThemes: readonly Theme[]) =>
  page.evaluate(
    async ({ names, options }) => {
      const { boxProblems } = globalThis as unknown as { boxProblems: BoxProblems };
      const frame = () => new Promise((drawn) => requestAnimationFrame(drawn));
      // Charts are drawn a few in each frame.
      for (let left = 5; left > 0; left -= 1) await frame();
      const found: { theme: string; problems: ReturnType<BoxProblems> }[] = [];
      for (const theme of names) {
        document.documentElement.dataset['theme'] = theme;
        await frame();
        let problems = boxProblems(options);
        // On a busy machine a part may not have its new size yet.
        if (problems.length > 0) {
          await new Promise((waited) => setTimeout(waited, 400));
          problems = boxProblems(options);
        }
        found.push({ theme, problems });
      }
      return found;
    },
    { names: inThemes, options: { isEnlarged } },
  );

/** What is wrong with the boxes of a page; the same problem at several sizes and in several themes is one line. */
export async function boxProblemsAt(page: Page, sizes: readonly Size[]): Promise<readonly string[]> {
  const places = new Map<string, Map<number, string>>();
  for (const size of sizes) {
    await page.setViewportSize(size);
    const inThemes = size.width === themedWidth ? themes : (['dark'] as const);
    for (const { theme, problems } of await measured(page, size, inThemes))
      for (const { sentence, figures } of problems) {
        const at = places.get(sentence) ?? new Map<number, string>();
        places.set(sentence, at);
        if (at.has(size.width)) continue;
        const where = theme === 'dark' ? `${size.width} px` : `${size.width} px, ${theme}`;
        at.set(size.width, figures ? `${where}: ${figures}` : where);
      }
  }
  return [...places].map(([sentence, at]) => `${sentence} (${[...at.values()].join('; ')})`);
}

/** Tests that no text of a screen is cut and nothing collides, in any theme and size. */
export function measureScreens(screens: readonly Screen[]): void {
  let window: WindowPage;
  windowTest.beforeAll(async ({ windowPage }) => {
    window = windowPage;
    await window.page.addInitScript(await readFile(join(previewFolder, 'boxes.js'), 'utf8'));
  });

  it.each(screens)('$name cuts nothing', async ({ query, open }) => {
    // Not in the size of the screen before.
    await window.page.setViewportSize(startSize);
    await window.show(query);
    await window.page.emulateMedia({ reducedMotion: 'reduce' });
    await open(window);
    await window.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    expect(await boxProblemsAt(window.page, [...plainSizes, enlarged])).toEqual([]);
  });
}
