import palette from '../../domain/charts/palette.css?raw';

const rules = {
  dark: /^:root (\{[^}]*\})/m,
  light: /^:root\[data-theme='light'\] (\{[^}]*\})/m,
} as const;

/** The window's colours for a page without settings: by the theme of the reader's system, and light on paper. */
export const pagePalette = palette.replace(rules.light, '@media print, (prefers-color-scheme: light) {\n:root $1\n}');

/** A colour of a theme, for what has no style sheet. Throws if the palette has no colour of that name. */
export function paletteColour(theme: keyof typeof rules, name: string): string {
  const colour = new RegExp(`--${name}: ([^;]+);`).exec(rules[theme].exec(palette)?.[1] ?? '')?.[1];
  if (colour === undefined) throw new Error(`The ${theme} palette has no colour ${name}.`);
  return colour;
}
