import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contrast, type Rgb } from '../../../../tests/support/contrast';

/** Min contrast of text, WCAG 2.2: 1.4.3, and 1.4.6 in the high-contrast theme. */
const leastOf = (theme: string): number => (theme === 'high-contrast' ? 7 : 4.5);
/** Min contrast of lines, and of edges and focus rings in the high-contrast theme: 1.4.11. */
const leastOfLines = 3;

interface Colour {
  readonly rgb: Rgb;
  readonly alpha: number;
}
type Tokens = Readonly<Record<string, Colour>>;

function colourOf(text: string): Colour | undefined {
  const hex = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(text);
  if (hex) return { rgb: rgb(hex.slice(1).map((part) => parseInt(part, 16))), alpha: 1 };
  const tint = /^rgb\((\d+) (\d+) (\d+) \/ ([\d.]+)%\)$/.exec(text);
  return tint ? { rgb: rgb(tint.slice(1, 4).map(Number)), alpha: Number(tint[4]) / 100 } : undefined;
}
const rgb = ([r = 0, g = 0, b = 0]: readonly number[]): Rgb => [r, g, b];

function tokensOf(block: string): Tokens {
  const found: Record<string, Colour> = {};
  for (const [, name = '', value = ''] of block.matchAll(/--([\w-]+): ([^;]+);/g)) {
    const colour = colourOf(value);
    if (colour) found[name] = colour;
  }
  return found;
}

const palette = readFileSync(join(__dirname, '../../../domain/charts/palette.css'), 'utf8');
const windowTokens = readFileSync(join(__dirname, 'tokens.css'), 'utf8');
const blocksOf = (selector: string): string =>
  [palette, windowTokens]
    .flatMap((css) => css.split(`\n${selector} {`).slice(1))
    .map((block) => block.slice(0, block.indexOf('}')))
    .join('\n');
const dark = tokensOf(blocksOf(':root'));
const themes: Readonly<Record<string, Tokens>> = {
  dark,
  light: { ...dark, ...tokensOf(blocksOf(":root[data-theme='light']")) },
  'high-contrast': { ...dark, ...tokensOf(blocksOf(":root[data-theme='high-contrast']")) },
};

const over = (top: Colour, ground: Rgb): Rgb =>
  rgb(top.rgb.map((part, at) => part * top.alpha + (ground[at] ?? 0) * (1 - top.alpha)));

const texts = ['text', 'text-muted', 'text-faint', 'accent', 'success', 'warning', 'danger'];
const grounds = ['background', 'surface', 'surface-raised', 'surface-floating'];
/** Backgrounds of selected rows, hovered rows and parts with a state, over any background. */
const tints = ['hover', 'selected', 'accent-soft', 'success-soft', 'warning-soft', 'danger-soft'];
/** A pill is opaque: its tint is always over `surface`. */
const pills = [
  ['accent', 'accent-soft'],
  ['success', 'success-soft'],
  ['warning', 'warning-soft'],
  ['danger', 'danger-soft'],
] as const;

const seriesNames = [1, 2, 3, 4, 5, 6, 7, 8].map((colour) => `series-${colour}`);

describe.each(Object.entries(themes))('the %s theme', (theme, tokens) => {
  const least = leastOf(theme);
  const of = (name: string): Colour => tokens[name] ?? { rgb: [0, 0, 0], alpha: 1 };

  it('has every text colour readable on every background, tinted or not', () => {
    const weak = grounds.flatMap((ground) =>
      [undefined, ...tints].flatMap((tint) => {
        const under = tint === undefined ? of(ground).rgb : over(of(tint), of(ground).rgb);
        return texts
          .map((text) => ({ text, ratio: contrast(of(text).rgb, under) }))
          .filter(({ ratio }) => ratio < least)
          .map(({ text, ratio }) => `${text} on ${tint ?? 'plain'} over ${ground}: ${ratio.toFixed(2)}`);
      }),
    );
    expect(weak).toEqual([]);
  });

  it('has pills and the primary button readable', () => {
    for (const [text, tint] of pills)
      expect(contrast(of(text).rgb, over(of(tint), of('surface').rgb))).toBeGreaterThanOrEqual(least);
    expect(contrast(of('accent-text').rgb, of('accent-fill').rgb)).toBeGreaterThanOrEqual(least);
  });

  it('shows a selected row in the accent colour and a hovered row without it', () => {
    expect(of('selected').rgb).toEqual(of('accent').rgb);
    expect(of('hover').rgb).toEqual(of('text').rgb);
  });

  it('has lines that are visible on the ground of charts', () => {
    const edges = theme === 'high-contrast' ? ['line', 'line-strong', 'accent'] : [];
    const weak = [...seriesNames, ...edges].filter((name) => contrast(of(name).rgb, of('surface').rgb) < leastOfLines);
    expect(weak).toEqual([]);
  });

  it('has every token of the pairs', () => {
    expect([...texts, ...grounds, ...tints, ...seriesNames].filter((name) => !(name in tokens))).toEqual([]);
  });
});
