import { recordCanvasTexts } from './canvasTexts';
import { forgetStyles } from './clips';
import { collisions, covers } from './collisions';
import { itemsOf } from './items';
import { cuts, leavers, shortFields, sidewaysScrolls, strays } from './losses';
import type { BoxProblem } from './names';

/**
 * What is wrong with the boxes of the page, as sentences: cut texts, collisions, what scrolls sideways, and controls that
 * can't be reached. Of an open dialog only, since what is behind it is a screen of its own. Runs in the page.
 */
function boxProblems({ isEnlarged = false } = {}): readonly BoxProblem[] {
  forgetStyles();
  const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
  const items = itemsOf(root);
  const found = [
    ...cuts(items),
    ...collisions(items),
    ...covers(items),
    ...leavers(items),
    ...strays(items),
    ...shortFields(root),
    ...sidewaysScrolls(root, isEnlarged),
  ];
  return [...new Map(found.map((problem) => [problem.sentence, problem])).values()];
}

export type BoxProblems = typeof boxProblems;

// Twice in one page: as it starts, for its canvases, and where it has no such script.
if (!('boxProblems' in globalThis)) {
  recordCanvasTexts();
  Object.assign(globalThis, { boxProblems });
}
