import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AxeResults, source } from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { themes, type Theme } from '../../../src/contract/shell';
import { windowTest, type WindowPage } from '../windowPage';
import { colourSamples } from './colourSamples';
import type { Screen } from './screens';
import { smallTargets } from './targets';
import { usablePart } from './usablePart';

/** All rules of WCAG 2.2 up to AA and axe's best practices; no rule is disabled. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let window: WindowPage;
/** One line for each screen and theme. */
const report: string[] = [];

interface Axe {
  run(of: unknown, how: unknown): Promise<AxeResults>;
  getRules(tags: readonly string[]): readonly { readonly ruleId: string }[];
}

/**
 * Violations reported by axe-core, one line for each element. Themes differ in colours only, so the other rules check
 * the first theme. The colour rules check one element of each combination of colours: axe needs most of its time for
 * the backgrounds of texts, and a list has hundreds of the same. Behind an open dialog nothing can be used, and those
 * screens have tests of their own.
 */
async function violations(screen: string, theme: Theme): Promise<readonly string[]> {
  const startedMs = performance.now();
  const part = await usablePart(window.page);
  const samples = await window.page.evaluateHandle(colourSamples, part);
  const { found, passed } = await window.page.evaluate(
    async ({ tags, part: usable, include, hasAll }) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const options = { resultTypes: ['violations'], preload: false };
      const ofTags = new Set(axe.getRules(tags).map(({ ruleId }) => ruleId));
      const colours = axe.getRules(['cat.color']).flatMap(({ ruleId }) => (ofTags.has(ruleId) ? [ruleId] : []));
      const results = [await axe.run({ include }, { ...options, runOnly: { type: 'rule', values: colours } })];
      if (hasAll) {
        const others = Object.fromEntries(colours.map((id) => [id, { enabled: false }]));
        results.push(await axe.run(usable, { ...options, runOnly: { type: 'tag', values: tags }, rules: others }));
      }
      return {
        found: results.flatMap(({ violations: all }) => all),
        passed: results.reduce((sum, { passes }) => sum + passes.length, 0),
      };
    },
    { tags: rules, part, include: samples, hasAll: theme === themes[0] },
  );
  const lines = found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const why = failureSummary.replace(/^.*:\n\s*/, '').replace(/\s+/g, ' ');
      return `${id}: ${target.join(' ')}: ${why}`;
    }),
  );
  const tookMs = Math.round(performance.now() - startedMs);
  report.push(
    `${screen}, ${theme}: ${lines.length} violations, ${passed} rules passed, ${tookMs} ms`,
    ...lines.map((each) => `  ${each}`),
  );
  return lines;
}

async function setTheme(theme: Theme): Promise<void> {
  await window.page.evaluate(async (name) => {
    document.documentElement.dataset['theme'] = name;
    // Without motion colours change at once.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }, theme);
}

/** Tests that no screen violates a rule; writes `out/accessibility-NAME.txt`. */
export function inspectScreens(of: string, screens: readonly Screen[]): void {
  windowTest.beforeAll(({ windowPage }) => {
    window = windowPage;
  });
  afterAll(async () => {
    await writeFile(join(__dirname, '..', '..', '..', 'out', `accessibility-${of}.txt`), `${report.join('\n')}\n`);
  });

  describe.each(screens)('$name', ({ name, query, open }) => {
    beforeAll(async () => {
      const startedMs = performance.now();
      await window.show(query);
      // Fade-ins have their final colours only at the end.
      await window.page.emulateMedia({ reducedMotion: 'reduce' });
      await open(window);
      // Through the debugger, since the content security policy blocks foreign scripts.
      await window.page.evaluate(source);
      report.push(`${name}: shown in ${Math.round(performance.now() - startedMs)} ms`);
    });

    it('has targets of 24 px, or space around them', async () => {
      expect(await smallTargets(window.page)).toEqual([]);
    });

    it.each(themes)('has no violation in the %s theme', async (theme) => {
      await setTheme(theme);
      expect(await violations(name, theme)).toEqual([]);
    });
  });
}
