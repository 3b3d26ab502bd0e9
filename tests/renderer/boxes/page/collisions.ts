import { isShown, styleOf } from './clips';
import { isWithin, overlappingPairs } from './geometry';
import { isVisible, type Item } from './items';
import { placeOf, quoted, selectorOf, type BoxProblem } from './names';

const overlays =
  'dialog, [role="dialog"], [role="menu"], [role="listbox"], [role="tooltip"], [role="alert"], [role="status"], [data-overlay]';

const isOpaque = (element: Element): boolean => {
  const [, alpha = '1'] = /^rgba\(.*, ([\d.]+)\)$/.exec(styleOf(element).backgroundColor) ?? [];
  return Number(alpha) >= 0.8;
};

function isOpaqueUpTo(element: Element, common: Element | null): boolean {
  for (let up: Element | null = element; up && up !== common; up = up.parentElement) if (isOpaque(up)) return true;
  return false;
}

/** Whether it is above the rest: up to `common`, which contains both. */
function isAbove(element: Element, common: Element | null, other: Item): boolean {
  for (let up: Element | null = element; up && up !== common; up = up.parentElement) {
    const { position } = styleOf(up);
    if (up.matches(overlays) || position === 'sticky') return true;
    if (other.kind === 'drawn' && position === 'absolute' && isOpaque(up)) return true;
  }
  return false;
}

function commonOf(one: Element, other: Element): Element | null {
  let up: Element | null = one;
  while (up && !up.contains(other)) up = up.parentElement;
  return up;
}

/** A surface that is clicked, with a text or a control on it. */
const isSurface = (surface: Item, other: Item): boolean =>
  surface.kind === 'control' && surface.text === '' && isWithin(other.box, surface.box);

const isLabelOf = (label: Item, control: Item): boolean =>
  control.kind === 'control' && label.element.closest('label')?.control === control.element;

function collides([one, other]: readonly [Item, Item]): boolean {
  if (one.node === other.node || one.node.contains(other.node) || other.node.contains(one.node)) return false;
  if (isSurface(one, other) || isSurface(other, one)) return false;
  if (isLabelOf(one, other) && one.element.closest('label')?.contains(other.element) && isWithin(one.box, other.box))
    return false;
  if (one.element.contains(other.element) && other.kind === 'control' && one.kind === 'control') return false;
  const common = commonOf(one.element, other.element);
  return !isAbove(one.element, common, other) && !isAbove(other.element, common, one);
}

/** Texts and controls on top of others. */
export function collisions(items: readonly Item[]): readonly BoxProblem[] {
  return overlappingPairs(items.filter(isVisible))
    .filter(collides)
    .map(([one, other]) => {
      const names = [one, other].map(({ element, text }) => `${selectorOf(element)} ${quoted(text)}`).sort();
      return { sentence: names.join(' collides with '), figures: placeOf(one.box) };
    });
}

/** Texts and controls of which one end is under another part of the page. */
export function covers(items: readonly Item[]): readonly BoxProblem[] {
  return items.flatMap((item) => {
    const { element, box, text, kind } = item;
    if (kind === 'drawn' || !isVisible(item)) return [];
    const middle = (box.top + box.bottom) / 2;
    for (const x of [box.left + 1.5, box.right - 1.5]) {
      const top = document.elementFromPoint(x, middle);
      if (!top || !isShown(top) || top.contains(element) || element.contains(top)) continue;
      const common = commonOf(top, element);
      if (!isOpaqueUpTo(top, common) || isAbove(top, common, item)) continue;
      const sentence = `${selectorOf(element)} ${quoted(text)} is covered by ${selectorOf(top)}`;
      return [{ sentence, figures: placeOf(box) }];
    }
    return [];
  });
}
