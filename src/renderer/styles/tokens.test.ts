import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

type Colour = readonly [number, number, number];
interface Ink {
  readonly colour: Colour;
  readonly alpha: number;
}

const css = readFileSync(join(__dirname, 'tokens.css'), 'utf8');
const [dark = '', light = ''] = css.split(":root[data-theme='light']");
const valuesOf = (block: string): Map<string, string> =>
  new Map([...block.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value]));
const darkTokens = valuesOf(dark);
const themes = { dark: darkTokens, light: new Map([...darkTokens, ...valuesOf(light)]) };

function inkOf(value: string): Ink {
  const hex = /^#(..)(..)(..)$/.exec(value)?.slice(1);
  if (hex) return { colour: hex.map((part) => parseInt(part, 16)) as unknown as Colour, alpha: 1 };
  const [r = 0, g = 0, b = 0, percent = 100] = [...value.matchAll(/[\d.]+/g)].map(Number);
  return { colour: [r, g, b], alpha: percent / 100 };
}
const over = ({ colour, alpha }: Ink, ground: Colour): Colour =>
  colour.map((part, at) => part * alpha + (ground[at] ?? 0) * (1 - alpha)) as unknown as Colour;
/** WCAG 2.2, relative luminance. */
function luminance(colour: Colour): number {
  const [r = 0, g = 0, b = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function contrast(a: Colour, b: Colour): number {
  const [bright = 0, dim = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (bright + 0.05) / (dim + 0.05);
}

describe.each(Object.entries(themes))('tokens of the %s theme', (_, tokens) => {
  const ink = (name: string): Ink => inkOf(tokens.get(name) ?? '');

  it.each(['hover', 'selected'])('keep every text readable on a row under %s', (state) => {
    const weak = ['s1', 's2'].flatMap((ground) => {
      const row = over(ink(state), ink(ground).colour);
      return ['t1', 't2', 't3', 'ac', 'ok', 'wa', 'fa']
        .map((text) => ({ text, ground, ratio: contrast(ink(text).colour, row) }))
        .filter(({ ratio }) => ratio < 4.5);
    });
    expect(weak).toEqual([]);
  });

  it('show a selected row in the accent and a row under the pointer without it', () => {
    expect(ink('selected').colour).toEqual(ink('ac').colour);
    expect(ink('hover').colour).toEqual(ink('t1').colour);
  });
});

it('has every token that a style asks for', () => {
  const root = join(__dirname, '..');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(svelte|css)$/.test(name),
  );
  const texts = files.map((name) => ({ name, text: readFileSync(join(root, name), 'utf8') }));
  const known = new Set(
    texts.flatMap(({ text }) => [...text.matchAll(/--([\w-]+)[:=]/g)].map(([, name]) => name)),
  );
  const unknown = texts.flatMap(({ name, text }) =>
    [...text.matchAll(/var\(--([\w-]+)[,)]/g)].flatMap(([, token]) =>
      known.has(token) ? [] : [`${name}: --${token}`],
    ),
  );
  expect(unknown).toEqual([]);
});
