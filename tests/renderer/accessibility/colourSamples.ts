import type { Rgb } from '../../support/contrast';

/** A text of the page in the colours in which it is drawn. */
export interface ColourSample {
  readonly name: string;
  readonly text: Rgb;
  readonly ground: Rgb;
  /** Min contrast, WCAG 2.2, 1.4.3. */
  readonly least: number;
}

/**
 * One text element or field for each combination of text colour, size and backgrounds in a part of the page: others of
 * the same combination have the same contrast. Backgrounds are those of the elements around it. Exempt are texts of
 * disabled controls. Runs in the page.
 */
export function colourSamples(part: Document | Element): ColourSample[] {
  type Colour = [number, number, number, number];
  interface Layer {
    readonly background: Colour;
    readonly opacity: number;
  }
  const colourOf = (css: string): Colour => {
    const match = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(css);
    if (!match) throw new Error(`The colour ${css} is not understood.`);
    return [Number(match[1]), Number(match[2]), Number(match[3]), Number(match[4] ?? 1)];
  };
  const mix = (below: Rgb, above: Rgb | Colour, share: number): Rgb => [
    below[0] + (above[0] - below[0]) * share,
    below[1] + (above[1] - below[1]) * share,
    below[2] + (above[2] - below[2]) * share,
  ];
  /** Layers of an element and those around it, outermost first; read once. */
  const known = new Map<Element, readonly Layer[]>();
  const layersOf = (element: Element | null): readonly Layer[] => {
    if (!element) return [];
    const found = known.get(element);
    if (found) return found;
    const { backgroundColor, opacity } = getComputedStyle(element);
    const outer = layersOf(element.parentElement);
    const isPlain = backgroundColor === 'rgba(0, 0, 0, 0)' && opacity === '1';
    const all = isPlain ? outer : [...outer, { background: colourOf(backgroundColor), opacity: Number(opacity) }];
    known.set(element, all);
    return all;
  };
  const isDisabled = (element: Element): boolean =>
    element.closest(':disabled, [aria-disabled="true"]') !== null ||
    element.closest('label')?.control?.matches(':disabled') === true;

  const samples = new Map<string, ColourSample>();
  const add = (element: Element): void => {
    const { color, fontSize, fontWeight, visibility } = getComputedStyle(element);
    if (element.getClientRects().length === 0 || visibility === 'hidden') return;
    if (isDisabled(element) || element.closest('.visually-hidden')) return;
    const layers = layersOf(element);
    if (layers.some(({ opacity }) => opacity === 0)) return;
    const key = JSON.stringify([color, fontSize, fontWeight, layers]);
    if (samples.has(key)) return;
    const grounds: Rgb[] = [[255, 255, 255]];
    for (const { background } of layers)
      grounds.push(mix(grounds.at(-1) ?? [255, 255, 255], background, background[3]));
    let ground = grounds.at(-1) ?? [255, 255, 255];
    const colour = colourOf(color);
    let text = mix(ground, colour, colour[3]);
    // A part with opacity is mixed as a whole with what is behind it.
    for (const [at, { opacity }] of [...layers.entries()].reverse()) {
      const behind = grounds[at] ?? ground;
      text = mix(behind, text, opacity);
      ground = mix(behind, ground, opacity);
    }
    const isLarge = parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24);
    const name = `${element.tagName.toLowerCase()}.${element.className.toString()} "${(element.textContent ?? '').trim().slice(0, 40)}"`;
    samples.set(key, { name, text, ground, least: isLarge ? 3 : 4.5 });
  };
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text; text = walker.nextNode())
    if (text.parentElement && text.textContent?.trim() !== '') add(text.parentElement);
  for (const field of part.querySelectorAll('input, select, textarea')) add(field);
  return [...samples.values()];
}
