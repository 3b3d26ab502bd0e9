import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AxeResults, source } from 'axe-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWindowPage, type WindowPage } from '../windowPage';
import type { Screen } from './screens';

/** All rules of WCAG 2.2 up to AA and axe's best practices; no rule is disabled. */
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const themes = ['dark', 'light'] as const;

let window: WindowPage;
/** One line for each screen and theme. */
const report: string[] = [];

interface Axe {
  run(of: unknown, how: unknown): Promise<AxeResults>;
  getRules(tags: readonly string[]): readonly { readonly ruleId: string; readonly tags: readonly string[] }[];
}

/**
 * Violations reported by axe-core, one line for each element. Themes differ in colours only, so all rules check
 * the first theme and only the colour rules the others.
 */
async function violations(screen: string, theme: (typeof themes)[number]): Promise<readonly string[]> {
  const results = await window.page.evaluate(
    ({ tags, isFirst }) => {
      const { axe } = globalThis as unknown as { axe: Axe };
      const colours = axe
        .getRules(['cat.color'])
        .filter((rule) => rule.tags.some((tag) => tags.includes(tag)))
        .map(({ ruleId }) => ruleId);
      const runOnly = isFirst ? { type: 'tag', values: tags } : { type: 'rule', values: colours };
      return axe.run(document, { runOnly, resultTypes: ['violations'] });
    },
    { tags: rules, isFirst: theme === themes[0] },
  );
  const found = results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const why = failureSummary.replace(/^.*:\n\s*/, '').replace(/\s+/g, ' ');
      return `${id}: ${target.join(' ')}: ${why}`;
    }),
  );
  const passed = results.passes.length;
  report.push(`${screen}: ${found.length} violations, ${passed} rules passed`, ...found.map((each) => `  ${each}`));
  return found;
}

async function setTheme(theme: (typeof themes)[number]): Promise<void> {
  await window.page.evaluate(async (name) => {
    document.documentElement.dataset['theme'] = name;
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
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
      await window.show(query);
      // Fade-ins have their final colours only at the end.
      await window.page.emulateMedia({ reducedMotion: 'reduce' });
      await open(window);
      // Through the debugger, since the content security policy blocks foreign scripts.
      await window.page.evaluate(source);
    });

    it.each(themes)('has no violation in the %s theme', async (theme) => {
      await setTheme(theme);
      expect(await violations(name, theme)).toEqual([]);
    });
  });
}
