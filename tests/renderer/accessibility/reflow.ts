import type { Page } from 'playwright-core';

/**
 * What an enlarged page loses: a horizontal scroll of the page or of a part other than tables, charts and code, and
 * controls and texts that are cut off. Texts that may always be shortened have their full form in a tooltip.
 */
export function reflowProblems(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    const air = 1;
    const name = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.className.toString().split(' ')[0] ?? ''} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}"`;
    const root = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body;
    const isShown = (element: Element): boolean =>
      element.getClientRects().length > 0 &&
      getComputedStyle(element).visibility !== 'hidden' &&
      !element.closest('[inert], .visually-hidden');
    /** Two dimensions are essential to these. */
    const mayScroll = 'table, .table, pre, textarea, [data-chart], canvas, svg';

    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth + air) problems.push(`The page is ${scrollWidth} px wide in ${clientWidth} px.`);
    for (const element of root.querySelectorAll('*')) {
      if (!isShown(element) || element.closest(mayScroll) || element.querySelector('.table')) continue;
      const { overflowX } = getComputedStyle(element);
      if (['auto', 'scroll'].includes(overflowX) && element.scrollWidth > element.clientWidth + air)
        problems.push(`${name(element)} scrolls sideways: ${element.scrollWidth} px in ${element.clientWidth} px`);
    }
    for (const control of root.querySelectorAll('button, input, select, textarea, a[href], [role="button"]')) {
      if (!isShown(control) || control.closest(mayScroll)) continue;
      const box = control.getBoundingClientRect();
      if (box.right > clientWidth + air || box.left < -air) problems.push(`${name(control)} is beside the page`);
      for (let up = control.parentElement; up && up !== document.body; up = up.parentElement) {
        const style = getComputedStyle(up);
        const clip = up.getBoundingClientRect();
        const isCutX = style.overflowX === 'hidden' && (box.right > clip.right + air || box.left < clip.left - air);
        const isCutY = style.overflowY === 'hidden' && (box.bottom > clip.bottom + air || box.top < clip.top - air);
        if (isCutX || isCutY) problems.push(`${name(control)} is cut by ${name(up)}`);
        // Scrolling brings the rest into view.
        if (style.position === 'fixed' || ['auto', 'scroll'].includes(style.overflowY)) break;
      }
    }
    return [...new Set(problems)];
  });
}
