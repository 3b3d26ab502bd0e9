import { canvasTexts } from './canvasTexts';
import { clips, isShown, styleOf, type Clip } from './clips';
import { air, common, height, isWithin, width, type Box } from './geometry';

/** What takes room in the page: a line of text, or a control. */
export interface Item {
  readonly kind: 'text' | 'control' | 'drawn';
  /** Empty for a control without a text. */
  readonly text: string;
  readonly element: Element;
  /** Lines of one text may be close to each other. */
  readonly node: Node;
  /** As laid out. */
  readonly full: Box;
  /** What is visible of it. */
  readonly box: Box;
  /** The first element that takes a part of it away for good. */
  readonly cutBy: Clip | undefined;
}

export const controls =
  'button, a[href], input, select, textarea, summary, [role="button"], [role="tab"], [role="menuitem"], [role="menuitemradio"], [role="switch"], [role="checkbox"], [role="slider"]';

/** The part of a line between the height of capitals and the baseline: lines may be lower than their font. */
const inkOf = ({ left, top, right, bottom }: Box): Box => {
  const air = (bottom - top) * 0.2;
  return { left, right, top: top + air, bottom: bottom - air };
};

function clipped(full: Box, around: readonly Clip[]): Pick<Item, 'box' | 'cutBy'> {
  let box = full;
  let cutBy: Clip | undefined;
  for (const clip of around) {
    const limit: Box = {
      left: clip.clipsX ? clip.box.left : -Infinity,
      right: clip.clipsX ? clip.box.right : Infinity,
      top: clip.clipsY ? clip.box.top : -Infinity,
      bottom: clip.clipsY ? clip.box.bottom : Infinity,
    };
    const hard: Box = {
      left: clip.scrollsX ? -Infinity : limit.left,
      right: clip.scrollsX ? Infinity : limit.right,
      top: clip.scrollsY ? -Infinity : limit.top,
      bottom: clip.scrollsY ? Infinity : limit.bottom,
    };
    // What is scrolled out of view is no matter of the elements around.
    if (!cutBy && !isWithin(box, hard)) cutBy = clip;
    box = common(box, limit);
    if (width(box) <= 0 || height(box) <= 0) break;
  }
  return { box, cutBy };
}

function textItems(root: Element): Item[] {
  const items: Item[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent?.trim() ?? '';
    const element = node.parentElement;
    if (text === '' || !element || element.closest('option, script, style, textarea') || !isShown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      if (line.width <= air) continue;
      const full = inkOf(line);
      items.push({ kind: 'text', text, element, node, full, ...clipped(full, clips(element)) });
    }
  }
  return items;
}

function controlItems(root: Element): Item[] {
  return [...root.querySelectorAll(controls)].filter(isShown).map((element): Item => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const full = { left, top, right, bottom };
    const around = element.parentElement ? clips(element.parentElement) : [];
    const text = element.textContent?.trim() ?? '';
    const isFixed = styleOf(element).position === 'fixed';
    return { kind: 'control', text, element, node: element, full, ...clipped(full, isFixed ? [] : around) };
  });
}

function drawnItems(root: Element): Item[] {
  return [...root.querySelectorAll('canvas')].filter(isShown).flatMap((element) =>
    canvasTexts(element).map(({ text, box: full }): Item => {
      // Beyond its canvas nothing is drawn.
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const own: Clip = {
        element,
        box: { left, top, right, bottom },
        ...{ scrollsX: false, scrollsY: false, clipsX: true, clipsY: true, hasEllipsis: false },
      };
      return {
        ...{ kind: 'drawn', text, element, node: document.createTextNode(text), full },
        ...clipped(full, [own, ...clips(element)]),
      };
    }),
  );
}

/** All texts and controls in a part of the page. */
export const itemsOf = (root: Element): readonly Item[] => [
  ...textItems(root),
  ...controlItems(root),
  ...drawnItems(root),
];

export const isVisible = ({ box }: Item): boolean => width(box) > air && height(box) > air;
