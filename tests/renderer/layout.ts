import type { Page } from 'playwright-core';

/**
 * Overlapping or clipped texts in the rows that must fit at every width: the top bar, the headline, and the headers of
 * charts, log and tables. Texts are measured before clipping. A part inside `[data-drops]` may be omitted entirely,
 * never partly; a user-defined name, `[data-cuts]`, may have any length.
 */
export function layoutProblems(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const problems: string[] = [];
    /** Rounding of half a pixel is not an overlap. */
    const air = 0.75;
    interface Box {
      left: number;
      top: number;
      right: number;
      bottom: number;
    }
    const overlap = (a: Box, b: Box): boolean =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > air &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > air;
    const inside = (a: Box, b: Box): boolean =>
      a.left >= b.left - air && a.right <= b.right + air && a.top >= b.top - 3 && a.bottom <= b.bottom + 3;
    const isShown = (element: Element): boolean =>
      element.getClientRects().length > 0 &&
      getComputedStyle(element).visibility !== 'hidden' &&
      !element.closest('.visually-hidden, [role="dialog"], dialog');

    const rows = [
      ...document.querySelectorAll(
        'header:has(nav), section.headline, section[aria-label="Active run"], .toolbar, section[aria-label="Events"] > header, section[aria-label="Fleet"] > header',
      ),
    ].filter((row) => isShown(row) && !row.closest('[inert]'));
    for (const row of rows) {
      const of = row.getAttribute('aria-label') ?? row.className.split(' ')[0] ?? row.tagName;
      const cells = [...row.children].filter(isShown);
      const boxOf = new Map(cells.map((cell) => [cell, cell.getBoundingClientRect()] as const));
      for (const [at, cell] of cells.entries())
        for (const other of cells.slice(at + 1)) {
          const a = boxOf.get(cell);
          const b = boxOf.get(other);
          if (a && b && overlap(a, b))
            problems.push(`${of}: "${cell.textContent?.trim()}" overlaps "${other.textContent?.trim()}"`);
        }
      const texts: { text: string; box: Box }[] = [];
      const walker = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.textContent?.trim() ?? '';
        const holder = node.parentElement;
        if (text === '' || !holder || !isShown(holder)) continue;
        // Intentionally hidden: a name for screen readers only.
        if (getComputedStyle(holder).clipPath.startsWith('inset(50%')) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0);
        const clips: Box[] = [row.getBoundingClientRect()];
        for (let up: Element | null = holder; up && up !== row; up = up.parentElement) {
          if (getComputedStyle(up).overflow !== 'visible' || cells.includes(up)) clips.push(up.getBoundingClientRect());
        }
        const isDropped =
          holder.closest('[data-drops]') !== null && lines.every((line) => clips.some((clip) => !overlap(line, clip)));
        if (isDropped) continue;
        const mayBeCut = holder.closest('[data-cuts]') !== null;
        for (const line of lines) {
          if (!mayBeCut && !clips.every((clip) => inside(line, clip))) problems.push(`${of}: "${text}" is cut`);
          const seen = clips.reduce<Box>(
            (box, clip) => ({
              left: Math.max(box.left, clip.left),
              top: Math.max(box.top, clip.top),
              right: Math.min(box.right, clip.right),
              bottom: Math.min(box.bottom, clip.bottom),
            }),
            line,
          );
          texts.push({ text, box: seen });
        }
      }
      for (const cell of cells)
        for (const inner of cell.querySelectorAll('button, svg')) {
          const whole = cell.getBoundingClientRect();
          if (isShown(inner) && !inside(inner.getBoundingClientRect(), whole))
            problems.push(`${of}: ${inner.tagName} leaves "${cell.textContent?.trim()}"`);
        }
      for (const [at, { text, box }] of texts.entries())
        for (const other of texts.slice(at + 1))
          if (text !== other.text && overlap(box, other.box))
            problems.push(`${of}: "${text}" runs into "${other.text}"`);
    }
    return [...new Set(problems)];
  });
}
