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

const textOf = (element: HTMLElement): string => element.innerText.replace(/\s+/g, ' ').trim();

interface ShownText {
  readonly element: HTMLElement;
  readonly text: string;
  readonly before: string | null;
  /** Undefined: it has all of the text already. */
  readonly title: string | undefined;
}

/** Gives an element that cuts its text a tooltip with all of it. */
function showText(element: HTMLElement): ShownText {
  const text = textOf(element);
  const around = element.closest('[title]')?.getAttribute('title') ?? null;
  const before = element.getAttribute('title');
  if (text === '' || around?.includes(text)) return { element, text, before, title: undefined };
  // What is explained there stays readable.
  element.title = around ? `${text}\n${around}` : text;
  return { element, text, before, title: element.title };
}

/** Gives each text that is cut a tooltip with all of it while the pointer is on it. Returns how to end that. */
export function showCutTexts(page: Document): () => void {
  let shown: ShownText | undefined;
  /** What moved under the pointer since it was moved itself. */
  let isScrolled = false;
  const restore = (): void => {
    changes.disconnect();
    // A title that has changed meanwhile is newer.
    if (shown && shown.element.title === shown.title) {
      if (shown.before === null) shown.element.removeAttribute('title');
      else shown.element.title = shown.before;
    }
    shown = undefined;
  };
  const show = (element: HTMLElement | undefined): void => {
    restore();
    shown = element && showText(element);
    if (shown) changes.observe(shown.element, { childList: true, characterData: true, subtree: true });
  };
  // A live text, or a row that is reused for another.
  const changes = new MutationObserver(() => {
    if (shown && textOf(shown.element) !== shown.text) show(cutAt(shown.element));
  });
  const onPointer = ({ target }: Event): void => {
    isScrolled = false;
    if (shown && target instanceof Node && shown.element.contains(target) && textOf(shown.element) === shown.text)
      return;
    show(cutAt(target));
  };
  const onMove = (event: Event): void => {
    if (isScrolled) onPointer(event);
  };
  const onScroll = ({ target }: Event): void => {
    isScrolled = true;
    if (shown && target instanceof Node && target.contains(shown.element)) restore();
  };
  page.addEventListener('mouseover', onPointer);
  page.addEventListener('mousemove', onMove);
  page.addEventListener('mouseleave', restore);
  page.addEventListener('scroll', onScroll, true);
  return () => {
    page.removeEventListener('mouseover', onPointer);
    page.removeEventListener('mousemove', onMove);
    page.removeEventListener('mouseleave', restore);
    page.removeEventListener('scroll', onScroll, true);
    restore();
  };
}
