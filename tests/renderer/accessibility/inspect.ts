import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AxeResults, source } from 'axe-core';
import type { JSHandle } from 'playwright-core';
import { afterAll, expect, it } from 'vitest';
import { themes, type Theme } from '../../../src/contract/shell';
import { contrast } from '../../support/contrast';
import { windowTest, type WindowPage } from '../windowPage';
import { colourSamples } from './colourSamples';
import type { Screen } from './screens';
import { smallTargets } from './targets';
import { usablePart } from './usablePart';

/** All rules of WCAG 2.2 up to AA and axe's best practices; no rule is disabled. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let window: WindowPage;
/** One line for each screen. */
const report: string[] = [];

type Part = JSHandle<Document | Element>;

/** Violations reported by axe-core in the theme of the window, one line for each element. */
async function violations(part: Part): Promise<readonly string[]> {
  // Through the debugger, since the content security policy blocks foreign scripts.
  await window.page.evaluate(source);
  const found = await window.page.evaluate(
    async ({ tags, context }) => {
      const { axe } = globalThis as unknown as { axe: { run(of: unknown, how: unknown): Promise<AxeResults> } };
      const options = { resultTypes: ['violations'], preload: false, runOnly: { type: 'tag', values: tags } };
      return (await axe.run(context, options)).violations;
    },
    { tags: rules, context: part },
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const why = failureSummary.replace(/^.*:\n\s*/, '').replace(/\s+/g, ' ');
      return `${id}: ${target.join(' ')}: ${why}`;
    }),
  );
}

async function setTheme(theme: Theme): Promise<void> {
  await window.page.evaluate((name) => {
    document.documentElement.dataset['theme'] = name;
  }, theme);
}

/** Texts without enough contrast in a theme. */
async function weakTexts(theme: Theme, part: Part): Promise<readonly string[]> {
  await setTheme(theme);
  const samples = await window.page.evaluate(colourSamples, part);
  expect(samples.length).toBeGreaterThan(0);
  return samples
    .map((sample) => ({ ...sample, ratio: contrast(sample.text, sample.ground) }))
    .filter(({ ratio, least }) => ratio < least)
    .map(({ name, ratio, least }) => `${theme}: ${name} has a contrast of ${ratio.toFixed(2)}, below ${least}`);
}

/**
 * Tests that no screen violates a rule or has a target below 24 px without space around it; writes
 * `out/accessibility-NAME.txt`.
 */
export function inspectScreens(name: string, screens: readonly Screen[]): void {
  windowTest.beforeAll(({ windowPage }) => {
    window = windowPage;
  });
  afterAll(() =>
    writeFile(join(__dirname, '..', '..', '..', 'out', `accessibility-${name}.txt`), `${report.join('\n')}\n`),
  );

  it.each(screens)('$name has no violation', async ({ name, query, open }) => {
    const startMs = performance.now();
    await window.show(query);
    // Without motion colours change at once, and fade-ins have their final ones.
    await window.page.emulateMedia({ reducedMotion: 'reduce' });
    await open(window);
    // What is being computed is dimmed until it is there.
    await window.page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    const shownMs = performance.now();
    // Behind an open dialog nothing can be used, and those screens have tests of their own.
    const part = await usablePart(window.page);
    const problems: string[] = [...(await smallTargets(window.page)), ...(await violations(part))];
    // Themes differ in colours only: axe inspects one, and all have the contrast of their texts calculated.
    for (const theme of themes) problems.push(...(await weakTexts(theme, part)));
    const endMs = performance.now();
    report.push(
      `${name}: ${problems.length} problems; shown in ${Math.round(shownMs - startMs)} ms, inspected in ${Math.round(endMs - shownMs)} ms`,
      ...problems.map((line) => `  ${line}`),
    );
    expect(problems).toEqual([]);
  });
}
