import { clips, isShown, styleOf } from './clips';
import { air } from './geometry';
import { controls, type Item } from './items';
import { labelOf, quoted, selectorOf, sizeOf, type BoxProblem } from './names';

const normal = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Figures, headings and labels of buttons must have room, or say themselves what they leave out. */
const mustFit = '.number, .figure, h1, h2, h3, h4, button';

/** A tooltip with the full text, of the element or one around it. */
function hasTooltip({ element, text }: Item): boolean {
  // Of any other text that is cut the window makes one for the pointer.
  if (!element.closest(mustFit)) element.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
  for (let up: Element | null = element; up; up = up.parentElement) {
    const title = up.getAttribute('title');
    if (title !== null && normal(title).includes(normal(text))) return true;
  }
  return false;
}

const problem = (sentence: string, figures = ''): BoxProblem => ({ sentence, figures });

/** Texts of which a part can't be read, and controls of which a part can't be reached. */
export function cuts(items: readonly Item[]): readonly BoxProblem[] {
  return items.flatMap((item) => {
    const { cutBy, element, text, full, kind } = item;
    if (!cutBy || element.closest('[data-drops]')) return [];
    const figures = `${sizeOf(full)} in ${sizeOf(cutBy.box)}`;
    if (kind === 'control')
      return [problem(`${selectorOf(element)} ${labelOf(element)} is cut by ${selectorOf(cutBy.element)}`, figures)];
    const name = `${selectorOf(element)} ${quoted(text)}`;
    if (!cutBy.hasEllipsis) return [problem(`${name} is cut`, figures)];
    return hasTooltip(item)
      ? []
      : [problem(`${name} ends with an ellipsis and has no tooltip with all of it`, figures)];
  });
}

/** Controls beyond the window. */
export function strays(items: readonly Item[]): readonly BoxProblem[] {
  return items.flatMap(({ kind, element, full }) => {
    // What scrolls sideways is reported as that.
    if (
      kind !== 'control' ||
      clips(element).some(
        ({ scrollsX, element: { scrollWidth, clientWidth } }) => scrollsX && scrollWidth > clientWidth,
      )
    )
      return [];
    const isBeside = full.right > innerWidth + air || full.left < -air;
    return isBeside ? [problem(`${selectorOf(element)} ${labelOf(element)} is beside the window`)] : [];
  });
}

/** Two dimensions are essential to these. */
const code = 'pre, textarea, code, input';

/** Parts that scroll sideways. `isEnlarged`: tables and charts may. */
export function sidewaysScrolls(root: Element, isEnlarged: boolean): readonly BoxProblem[] {
  const may = isEnlarged ? `${code}, table, .table, [data-chart], svg` : code;
  const { scrollWidth, clientWidth } = document.documentElement;
  const page =
    scrollWidth > clientWidth + air
      ? [problem('The page scrolls sideways', `${scrollWidth} px in ${clientWidth} px`)]
      : [];
  const parts = [root, ...root.querySelectorAll('*')].flatMap((element) => {
    if (element.scrollWidth <= element.clientWidth + air || element.clientWidth === 0) return [];
    const { overflowX } = styleOf(element);
    if ((overflowX !== 'auto' && overflowX !== 'scroll') || element.closest(may) || !isShown(element)) return [];
    if (isEnlarged && element.querySelector('table, .table')) return [];
    return [
      problem(`${selectorOf(element)} scrolls sideways`, `${element.scrollWidth} px in ${element.clientWidth} px`),
    ];
  });
  return [...page, ...parts];
}

let ruler: CanvasRenderingContext2D | null = null;

function textWidth(element: Element, text: string): number {
  ruler ??= document.createElement('canvas').getContext('2d');
  if (!ruler) return 0;
  const { fontWeight, fontSize, fontFamily } = styleOf(element);
  ruler.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  return ruler.measureText(text).width;
}

/** Choices, numbers and placeholders that don't fit into their field. */
export function shortFields(root: Element): readonly BoxProblem[] {
  return [...root.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')].flatMap((field) => {
    if (!isShown(field) || ['checkbox', 'radio', 'range', 'file', 'color'].includes(field.type)) return [];
    const { paddingLeft, paddingRight } = styleOf(field);
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    const text =
      field instanceof HTMLSelectElement
        ? (field.selectedOptions[0]?.text ?? '')
        : field.type === 'number'
          ? field.value
          : // A value of any length is the user's.
            field.value === ''
            ? field.placeholder
            : '';
    if (textWidth(field, text) <= room + air || field.title.includes(text)) return [];
    return [
      problem(
        `${selectorOf(field)} ${quoted(text)} does not fit`,
        `${Math.round(textWidth(field, text))} px in ${Math.round(room)} px`,
      ),
    ];
  });
}

/** Texts that leave their control. */
export function leavers(items: readonly Item[]): readonly BoxProblem[] {
  return items.flatMap(({ kind, element, full, text }) => {
    const control = kind === 'text' ? element.closest(`${controls}, td, th`) : null;
    if (!control || styleOf(control).display === 'inline' || styleOf(control).display === 'contents') return [];
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const isOut =
      full.left < left - air || full.right > right + air || full.top < top - air || full.bottom > bottom + air;
    if (!isOut) return [];
    // One that is cut is reported as that.
    for (let up: Element | null = element; up && up !== control.parentElement; up = up.parentElement)
      if (styleOf(up).overflowX !== 'visible') return [];
    const box = { left, right, top, bottom };
    return [
      problem(
        `${selectorOf(element)} ${quoted(text)} leaves its ${control.tagName.toLowerCase()}`,
        `${sizeOf(full)} in ${sizeOf(box)}`,
      ),
    ];
  });
}
