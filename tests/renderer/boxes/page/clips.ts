import type { Box } from './geometry';

/** An element that clips what is in it. */
export interface Clip {
  readonly element: Element;
  readonly box: Box;
  /** What is beyond is brought into view by scrolling; else it is lost. */
  readonly scrollsX: boolean;
  readonly scrollsY: boolean;
  /** Only in this axis; the other one is not clipped. */
  readonly clipsX: boolean;
  readonly clipsY: boolean;
  readonly hasEllipsis: boolean;
}

const styles = new Map<Element, CSSStyleDeclaration>();
const clipsOf = new Map<Element, readonly Clip[]>();

/** Forgets what was read of an earlier layout. */
export function forgetStyles(): void {
  styles.clear();
  clipsOf.clear();
}

export function styleOf(element: Element): CSSStyleDeclaration {
  const known = styles.get(element);
  if (known) return known;
  const read = getComputedStyle(element);
  styles.set(element, read);
  return read;
}

const scrolls = (overflow: string): boolean => overflow === 'auto' || overflow === 'scroll';

function clipOf(element: Element): Clip | undefined {
  const { overflowX, overflowY, contain, textOverflow, webkitLineClamp } = styleOf(element);
  const isContained = /strict|content|paint/.test(contain);
  const clipsX = overflowX !== 'visible' || isContained;
  const clipsY = overflowY !== 'visible' || isContained;
  if (!clipsX && !clipsY) return undefined;
  const outer = element.getBoundingClientRect();
  const left = outer.left + element.clientLeft;
  const top = outer.top + element.clientTop;
  // The page itself is as high as the window, however far it is scrolled.
  const isPage = element === document.body || element === document.documentElement;
  return {
    element,
    box: isPage
      ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight }
      : { left, top, right: left + element.clientWidth, bottom: top + element.clientHeight },
    scrollsX: scrolls(overflowX),
    scrollsY: scrolls(overflowY),
    clipsX,
    clipsY,
    hasEllipsis: textOverflow === 'ellipsis' || webkitLineClamp !== 'none',
  };
}

const isContainingBlock = (element: Element): boolean => {
  const { position, transform, contain } = styleOf(element);
  return position !== 'static' || transform !== 'none' || /strict|content|paint|layout/.test(contain);
};

/** What clips an element, innermost first; itself is the first if it does. */
export function clips(element: Element): readonly Clip[] {
  const known = clipsOf.get(element);
  if (known) return known;
  const own = clipOf(element);
  const { position } = styleOf(element);
  let around = element.parentElement;
  // In the layer above the page nothing of the page clips.
  if (position === 'fixed' || element.matches('dialog[open]')) around = null;
  if (position === 'absolute') while (around && !isContainingBlock(around)) around = around.parentElement;
  const all = [...(own ? [own] : []), ...(around ? clips(around) : [])];
  clipsOf.set(element, all);
  return all;
}

/** Whether it is displayed, for someone who sees. */
export function isShown(element: Element): boolean {
  if (element.getClientRects().length === 0 || element.closest('.visually-hidden, [inert]')) return false;
  // Not in a closed `details` either.
  if (!element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true })) return false;
  // Texts for screen readers where there is no room for them.
  for (let up: Element | null = element; up; up = up.parentElement)
    if (styleOf(up).clipPath.startsWith('inset(50%')) return false;
  return true;
}
