import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AxeResults, source } from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { themes, type Theme } from '../../../src/contract/shell';
import { openWindowPage, type WindowPage } from '../windowPage';
import { colourSamples } from './colourSamples';
import type { Screen } from './screens';
import { smallTargets } from './targets';

/** All rules of WCAG 2.2 up to AA and axe's best practices; no rule is disabled. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

let window: WindowPage;
/** One line for each screen and theme. */
const report: string[] = [];

interface Axe {
  run(of: unknown, how: unknown): Promise<AxeResults>;
  getRules(tags: readonly string[]): readonly { readonly ruleId: string; readonly tags: readonly string[] }[];
}

/**
 * Violations reported by axe-core, one line for each element. Themes differ in colours only, so all rules check
 * the first theme; the colour rules check the others, and there one element of each combination of colours: axe needs
 * most of its time for the backgrounds of texts, and a list has hundreds of the same.
 */
async function violations(screen: string, theme: Theme): Promise<readonly string[]> {
  const startedMs = performance.now();
  const isFirst = theme === themes[0];
  const samples = isFirst ? undefined : await window.page.evaluateHandle(colourSamples);
  const results = await window.page.evaluate(
    ({ tags, include }) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const resultTypes = ['violations'];
      if (!include) return axe.run(document, { resultTypes, runOnly: { type: 'tag', values: tags } });
      const colours = axe
        .getRules(['cat.color'])
        .filter((rule) => rule.tags.some((tag) => tags.includes(tag)))
        .map(({ ruleId }) => ruleId);
      return axe.run({ include }, { resultTypes, preload: false, runOnly: { type: 'rule', values: colours } });
    },
    { tags: rules, include: samples },
  );
  const found = results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const why = failureSummary.replace(/^.*:\n\s*/, '').replace(/\s+/g, ' ');
      return `${id}: ${target.join(' ')}: ${why}`;
    }),
  );
  const passed = results.passes.length;
  const tookMs = Math.round(performance.now() - startedMs);
  report.push(
    `${screen}, ${theme}: ${found.length} violations, ${passed} rules passed, ${tookMs} ms`,
    ...found.map((each) => `  ${each}`),
  );
  return found;
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
  beforeAll(async () => {
    window = await openWindowPage();
  });
  afterAll(async () => {
    await window.close();
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
