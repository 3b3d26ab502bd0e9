import type { Page } from 'playwright-core';
import { usablePart } from './usablePart';

/**
 * Targets of the pointer below 24 x 24 CSS px that are closer to another one than WCAG 2.2, 2.5.8 allows: a circle of
 * 24 px around the centre of each must be clear of other targets and of the circles of other small ones. Exempt are
 * links within a sentence, and borders of columns, whose place between two headers is essential.
 */
export async function smallTargets(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    (root) => {
      const min = 24;
      /** Rounding of half a pixel is not a violation. */
      const air = 0.5;
      const selector =
        'button, a[href], input, select, textarea, summary, [role="button"], [role="link"], [role="checkbox"], [role="switch"], [role="tab"], [role="menuitem"], [role="option"], [role="slider"], [tabindex]:not([tabindex="-1"], [role="separator"])';
      const isTarget = (element: Element): boolean =>
        element.getClientRects().length > 0 &&
        getComputedStyle(element).visibility !== 'hidden' &&
        getComputedStyle(element).pointerEvents !== 'none' &&
        !element.matches(':disabled, .visually-hidden') &&
        !element.closest('[inert], .visually-hidden');
      const isInSentence = (element: Element): boolean =>
        getComputedStyle(element).display === 'inline' &&
        [...(element.parentNode?.childNodes ?? [])].some(
          (other) => other.nodeType === Node.TEXT_NODE && other.textContent?.trim() !== '',
        );
      /** A label is part of the target of its field. */
      const boxOf = (element: Element): DOMRect => {
        const own = element.getBoundingClientRect();
        const labels = element instanceof HTMLInputElement ? [...(element.labels ?? [])] : [];
        return labels
          .map((label) => label.getBoundingClientRect())
          .reduce((best, box) => (box.width * box.height > best.width * best.height ? box : best), own);
      };
      const all = [...root.querySelectorAll(selector)]
        .filter((element) => isTarget(element) && !isInSentence(element))
        .map((element) => ({ element, box: boxOf(element) }));
      const isSmall = ({ width, height }: DOMRect): boolean => width < min - air || height < min - air;
      const centre = (box: DOMRect) => ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });
      const distance = (point: { x: number; y: number }, box: DOMRect): number =>
        Math.hypot(
          Math.max(box.left - point.x, 0, point.x - box.right),
          Math.max(box.top - point.y, 0, point.y - box.bottom),
        );
      return all
        .filter(({ box }) => isSmall(box))
        .flatMap(({ element, box }) => {
          const at = centre(box);
          const near = all.find(({ element: other, box: otherBox }) => {
            if (other === element || other.contains(element) || element.contains(other)) return false;
            if (distance(at, otherBox) < min / 2 - air) return true;
            const otherAt = centre(otherBox);
            return isSmall(otherBox) && Math.hypot(at.x - otherAt.x, at.y - otherAt.y) < min - air;
          });
          if (!near) return [];
          const name = (target: Element): string =>
            `${target.tagName.toLowerCase()} "${(target.getAttribute('aria-label') ?? target.textContent ?? '').trim().slice(0, 40)}"`;
          return [
            `${name(element)} has ${Math.round(box.width)} x ${Math.round(box.height)} px, too close to ${name(near.element)}`,
          ];
        });
    },
    await usablePart(page),
  );
}
