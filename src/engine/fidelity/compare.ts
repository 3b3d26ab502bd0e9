import type { FidelityRow, RowValue } from './rows';

/** How a viewer's value relates to the browser's. */
export type Likeness = 'equal' | 'close' | 'different';

/** The rule of `markOf`, for the report. */
export const markRule =
  'Lists are equal with the same members, and close if they have three quarters of their members in common. Numbers are equal within 10 % (or one message, 5 ms), and close within a factor of 2 (or three messages, 15 ms). Anything else is different.';

const closeShare = 0.75;
const equalShare = 0.1;
const closeFactor = 2;
const closeTolerances = 3;

export function markOf(browser: RowValue | undefined, viewer: RowValue | undefined): Likeness {
  if (!browser || !viewer) return browser === viewer ? 'equal' : 'different';
  if ('items' in browser && 'items' in viewer) return markOfLists(browser.items, viewer.items);
  if ('word' in browser && 'word' in viewer) return browser.word === viewer.word ? 'equal' : 'different';
  if (!('number' in browser && 'number' in viewer)) return 'different';
  const [less = 0, more = 0] = [Math.abs(browser.number), Math.abs(viewer.number)].sort((a, b) => a - b);
  const tolerance = Math.max(browser.tolerance, viewer.tolerance);
  if (more - less <= Math.max(equalShare * more, tolerance)) return 'equal';
  return more <= closeFactor * less || more - less <= closeTolerances * tolerance ? 'close' : 'different';
}

function markOfLists(browser: readonly string[], viewer: readonly string[]): Likeness {
  const both = browser.filter((entry) => viewer.includes(entry)).length;
  const all = new Set([...browser, ...viewer]).size;
  if (both === all) return 'equal';
  return both / all >= closeShare ? 'close' : 'different';
}

/** What differs in a row: `no X` and `also X` for each member of a list, `other` for words and numbers. */
export function differencesOf(browser: RowValue | undefined, viewer: RowValue | undefined): readonly string[] {
  if (markOf(browser, viewer) === 'equal') return [];
  if (!browser || !viewer || !('items' in browser && 'items' in viewer)) return ['other'];
  const [own, others] = [viewer.items, browser.items];
  return [
    ...others.filter((entry) => !own.includes(entry)).map((entry) => `no ${entry}`),
    ...own.filter((entry) => !others.includes(entry)).map((entry) => `also ${entry}`),
  ];
}

export interface ComparedRow extends FidelityRow {
  readonly mark: Likeness;
  readonly differences: readonly string[];
}

/** A viewer's rows beside those of a browser, which are the same in number and order. */
export function compareRows(browser: readonly FidelityRow[], viewer: readonly FidelityRow[]): readonly ComparedRow[] {
  return viewer.map((row, place) => ({
    ...row,
    mark: markOf(browser[place]?.value, row.value),
    differences: differencesOf(browser[place]?.value, row.value),
  }));
}
