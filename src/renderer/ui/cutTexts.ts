/** Texts that end with an ellipsis for lack of room. */

const maxSteps = 4;

const isCut = (element: HTMLElement): boolean => {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) return true;
  return webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight;
};

/** The element that cuts the text at the pointer. */
function cutAt(target: EventTarget | null): HTMLElement | undefined {
  let element = target instanceof HTMLElement ? target : null;
  for (let step = 0; element && step < maxSteps; step += 1, element = element.parentElement)
    if (isCut(element)) return element;
  return undefined;
}

/** Gives each text that is cut a tooltip with all of it while the pointer is on it. Returns how to end that. */
export function showCutTexts(page: Document): () => void {
  let shown: { readonly element: HTMLElement; readonly before: string | null; readonly title: string } | undefined;
  const restore = (): void => {
    // A title that has changed meanwhile is newer.
    if (shown && shown.element.title === shown.title) {
      if (shown.before === null) shown.element.removeAttribute('title');
      else shown.element.title = shown.before;
    }
    shown = undefined;
  };
  const onPointer = ({ target }: Event): void => {
    if (shown && target instanceof Node && shown.element.contains(target)) return;
    restore();
    const element = cutAt(target);
    if (!element) return;
    const text = element.innerText.replace(/\s+/g, ' ').trim();
    const around = element.closest('[title]')?.getAttribute('title') ?? null;
    if (text === '' || around?.includes(text)) return;
    // What is explained there stays readable.
    const title = around ? `${text}\n${around}` : text;
    shown = { element, before: element.getAttribute('title'), title };
    element.title = title;
  };
  page.addEventListener('mouseover', onPointer);
  return () => {
    page.removeEventListener('mouseover', onPointer);
    restore();
  };
}
