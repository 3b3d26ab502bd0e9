import { height, width, type Box } from './geometry';

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 50 ? `${line.slice(0, 49)}…` : line;
};

const ownName = (element: Element): string => {
  const id = element.getAttribute('data-testid');
  const [first] = (element.getAttribute('class') ?? '')
    .split(' ')
    .filter((name) => name && !name.startsWith('s-') && !name.startsWith('svelte-'));
  return element.tagName.toLowerCase() + (id ? `[${id}]` : first ? `.${first}` : '');
};

/** An element in a sentence: the last steps to it. */
export function selectorOf(element: Element): string {
  const steps: string[] = [];
  for (let up: Element | null = element; up && up !== document.body && steps.length < 4; up = up.parentElement)
    steps.unshift(ownName(up));
  return steps.join(' > ');
}

export const quoted = (text: string): string => `"${shortened(text)}"`;

export const labelOf = (element: Element): string =>
  quoted(
    element.getAttribute('aria-label') ?? (element.textContent?.trim() || element.getAttribute('placeholder')) ?? '',
  );

export const sizeOf = (box: Box): string => `${Math.round(width(box))} x ${Math.round(height(box))} px`;

export const placeOf = (box: Box): string => `at ${Math.round(box.left)}, ${Math.round(box.top)}`;

/** Something wrong with a box: the sentence is the same in every size, the figures are not. */
export interface BoxProblem {
  readonly sentence: string;
  readonly figures: string;
}
