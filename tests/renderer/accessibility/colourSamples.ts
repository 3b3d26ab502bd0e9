/**
 * One text element for each combination of text colour, size and backgrounds in a part of the page: others of the same
 * combination have the same contrast. Runs in the page.
 */
export function colourSamples(part: Document | Element): Element[] {
  const samples = new Map<string, Element>();
  const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  /** Of an element and those around it, read once. */
  const grounds = new Map<Element, string>();
  const groundOf = (element: Element | null): string => {
    if (!element) return '';
    const known = grounds.get(element);
    if (known !== undefined) return known;
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element);
    const isPlain = backgroundColor === 'rgba(0, 0, 0, 0)' && backgroundImage === 'none' && opacity === '1';
    const outer = groundOf(element.parentElement);
    const all = isPlain ? outer : `${outer}|${backgroundColor} ${backgroundImage} ${opacity}`;
    grounds.set(element, all);
    return all;
  };
  for (let text = walker.nextNode(); text; text = walker.nextNode()) {
    const element = text.parentElement;
    if (!element || text.textContent?.trim() === '' || element.getClientRects().length === 0) continue;
    const { color, fontSize, fontWeight, visibility, position } = getComputedStyle(element);
    if (visibility === 'hidden' || element.closest('.visually-hidden')) continue;
    const key = [color, fontSize, fontWeight, position, groundOf(element)].join(' ');
    const known = samples.get(key);
    // The smallest one: what is sampled includes what is inside.
    if (!known || element.childElementCount < known.childElementCount) samples.set(key, element);
  }
  for (const field of part.querySelectorAll('input, select, textarea')) samples.set(`field ${samples.size}`, field);
  return [...samples.values()];
}
