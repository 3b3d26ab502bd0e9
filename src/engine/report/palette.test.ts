import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pagePalette, paletteColour } from './palette';

const source = join(__dirname, '../..');
const textOf = (file: string): string => readFileSync(join(source, file), 'utf8');

/** The colours of each rule of a style sheet, by place and selector. */
function coloursOf(css: string): Record<string, Record<string, string>> {
  const colours: Record<string, Record<string, string>> = {};
  for (const [place, [, selector = '', rule = '']] of [...css.matchAll(/(:root[^{\s]*) \{([^}]*)\}/g)].entries()) {
    const names: Record<string, string> = {};
    for (const [, name = '', value = ''] of rule.matchAll(/--([\w-]+): ([^;]+);/g)) names[name] = value;
    colours[`${place} ${selector}`] = names;
  }
  return colours;
}

describe('the palette of reports', () => {
  const palette = coloursOf(textOf('domain/charts/palette.css'));

  it("has the window's dark and light colours", () => {
    expect(Object.keys(palette)).toEqual(['0 :root', "1 :root[data-theme='light']"]);
    expect(Object.values(coloursOf(pagePalette))).toEqual(Object.values(palette));
    expect(pagePalette).toMatch(/@media print, \(prefers-color-scheme: light\) \{\n:root \{\n {2}color-scheme: light;/);
    expect(pagePalette).not.toContain('data-theme');
  });

  it('is changed neither by the window nor by the style of a page', () => {
    const window = textOf('renderer/ui/styles/tokens.css');
    expect(window).toContain("@import '../../../domain/charts/palette.css';");
    const common = Object.keys(palette['0 :root'] ?? {});
    expect(common.length).toBeGreaterThan(30);
    const [dark, light] = Object.values(coloursOf(window));
    expect(Object.keys({ ...dark, ...light }).filter((name) => common.includes(name))).toEqual([]);
    for (const file of ['report/page/page.css', 'report/html.ts', 'library/comparisonHtml.ts'])
      expect(textOf(`engine/${file}`)).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(/);
    expect(textOf('engine/library/comparisonHtml.ts')).not.toMatch(/:#[0-9a-f]{3,8}\b|rgb\(/);
  });

  it('gives single colours to what has no style sheet', () => {
    expect(paletteColour('dark', 'background')).toBe(palette['0 :root']?.['background']);
    expect(paletteColour('light', 'background')).not.toBe(paletteColour('dark', 'background'));
    expect(() => paletteColour('light', 'ground')).toThrow('The light palette has no colour ground.');
    // A backdrop inherits no properties before Chromium 122, so a dialog repeats them.
    const backdrops = [...textOf('renderer/ui/Dialog.svelte').matchAll(/background: (#\w+);/g)].map(
      ([, colour]) => colour,
    );
    expect(backdrops).toEqual([paletteColour('dark', 'background'), paletteColour('light', 'background')]);
  });
});
